import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure, toAppError } from '../../../shared/errors.ts';
import { isDocumentName } from '../../../shared/keys/document-kind.ts';
import {
  largestEditBytes,
  largestTextBytes,
  type Edit,
  type EditPlace,
  type SavedText,
} from '../../../shared/models/edits.ts';
import type { EventHub } from '../settings/events.ts';
import type { Ports } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { absentAsNull } from '../store/absent.ts';
import { writeFileAtomically } from '../store/atomic-file.ts';
import { isAsideName, setAside } from '../store/set-aside.ts';
import { digestsOf, judgeFile, requireFit } from '../transfers/downloads/verify-file.ts';
import {
  copyNameOf,
  holdsFiles,
  isCopyName,
  md5Of,
  notKept,
  readCopy,
  readRecord,
  fileSizeBytes,
  store,
  tooLarge,
  watchFolder,
  writeRecord,
  type EditRecord,
} from './edit-file.ts';
import { sendCopy } from './send-copy.ts';

export interface EditsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'shell'>;
  /** Folder used by this program only; created on first use. */
  readonly dir: string;
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly events: EventHub;
}

export interface Edits {
  list(): Edit[];
  open(place: EditPlace): Promise<Edit>;
  /**
   * Writes text from the window to a copy on disk, then sends it. Returns the resulting edit. Throws if it could not be
   * written to disk.
   */
  save(text: SavedText): Promise<Edit>;
  overwrite(editId: string): Promise<void>;
  retry(editId: string): Promise<void>;
  discard(editId: string): Promise<void>;
  /** Resumes edits that an earlier run could not send. Removes folders without unsent changes. */
  start(): Promise<void>;
  /** Sends the last save. Removes copies without unsent changes. */
  close(): Promise<void>;
}

interface Live {
  edit: Edit;
  record: EditRecord;
  readonly dir: string;
  readonly aborter: AbortController;
  stopWatch: (() => void) | null;
  /** Serializes the checks. */
  last: Promise<void>;
}

/** A program writes a file in several steps: the file is sent once it has not changed for so long. */
const settleMs = 400;

/**
 * Opens objects with the system's program: downloads, watches and uploads them on each save unless the object changed
 * elsewhere.
 */
export function createEdits(deps: EditsDeps): Edits {
  const { clock, random, logger, shell } = deps.ports;
  const live = new Map<string, Live>();

  const set = (one: Live, change: Partial<Edit>): void => {
    one.edit = { ...one.edit, ...change };
    deps.events.emit({ kind: 'edits-changed' });
  };
  const known = (editId: string): Live => {
    const one = live.get(editId);
    if (one === undefined)
      throw failure('not-found', 'This file is not open any more.', { reason: 'no-such-edit' });
    return one;
  };
  const fileOf = (one: Live): string => path.join(one.dir, one.record.fileName);
  const keep = (one: Live, change: Partial<EditRecord>): Promise<void> => {
    one.record = { ...one.record, ...change };
    return writeRecord(one.dir, one.record, random.id());
  };

  /** Sends the file if it differs from the object in the bucket. */
  const look = async (one: Live, mayReplace: boolean): Promise<void> => {
    const size = await fileSizeBytes(fileOf(one));
    // A program that saves takes the file away for a moment.
    if (size === null || one.aborter.signal.aborted) return;
    if (size > largestEditBytes) {
      set(one, { state: 'failed', error: tooLarge().error });
      return;
    }
    const bytes = await readCopy(fileOf(one));
    const md5 = createHash('md5').update(bytes).digest('hex');
    if (md5 === one.record.md5) {
      if (one.edit.state !== 'open') set(one, { state: 'open', error: null });
      return;
    }
    if (one.edit.state === 'conflict' && !mayReplace) return;
    set(one, { state: 'sending', error: null });
    try {
      const client = await deps.client(one.record.connectionId);
      const etag = await sendCopy(client, one.record, {
        bytes,
        mayReplace,
        signal: one.aborter.signal,
        onDamaged: async (left) => {
          await keep(one, { etag: left });
          // The next save from the window is based on it too.
          set(one, { etag: left });
        },
      });
      await keep(one, { etag, md5 });
      set(one, { state: 'open', etag, sentAt: new Date(clock.nowMs()).toISOString() });
    } catch (thrown) {
      const error = toAppError(thrown);
      logger.warn('Did not upload what another program saved.', { code: error.code });
      const isConflict = error.code === 'conflict' || error.reason === 'edit-changed';
      set(one, { state: isConflict ? 'conflict' : 'failed', error });
    }
  };

  const soon = (one: Live, mayReplace = false): Promise<void> => {
    one.last = one.last
      .then(() => look(one, mayReplace))
      .catch((thrown: unknown) => {
        logger.warn('Could not read a file open in another program.', { err: thrown });
        set(one, { state: 'failed', error: toAppError(thrown) });
      });
    return one.last;
  };
  const watchOne = (one: Live): void => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const watcher = watchFolder(one.dir, () => {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void soon(one), settleMs);
    });
    one.stopWatch = () => {
      if (timer !== null) clearTimeout(timer);
      watcher.close();
    };
  };
  const remove = async (one: Live): Promise<void> => {
    one.stopWatch?.();
    one.aborter.abort(failure('cancelled', 'The file was closed.'));
    live.delete(one.edit.id);
    await rm(one.dir, { recursive: true, force: true });
    deps.events.emit({ kind: 'edits-changed' });
  };
  const liveOf = (id: string, dir: string, record: EditRecord, state: Edit['state']): Live => {
    const { connectionId, bucket, key } = record;
    const { etag } = record;
    const edit: Edit = { id, connectionId, bucket, key, state, etag, sentAt: null, error: null };
    const one: Live = {
      edit,
      record,
      dir,
      aborter: new AbortController(),
      stopWatch: null,
      last: Promise.resolve(),
    };
    live.set(id, one);
    return one;
  };

  const newCopy = async (place: EditPlace, etag: string | null, state: Edit['state']): Promise<Live> => {
    const id = random.id();
    const dir = path.join(deps.dir, id);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return liveOf(id, dir, { version: 1, ...place, fileName: copyNameOf(place.key), etag, md5: '' }, state);
  };

  const keepText = async (one: Live, etag: string, bytes: Buffer): Promise<void> => {
    const write = async (): Promise<void> => {
      await writeFileAtomically(fileOf(one), bytes, { suffix: random.id() });
      await keep(one, { etag });
      set(one, { state: 'open', etag, error: null });
    };
    const kept = one.last.then(write);
    one.last = kept.catch(() => undefined);
    await kept;
  };

  /** Resumes an edit of an earlier run if it holds unsent changes; else removes its folder. */
  const takeUp = async (id: string, dir: string): Promise<void> => {
    const record = await readRecord(dir);
    if (record === null) {
      // The record is written when the object has been fetched, before the file is opened.
      await rm(dir, { recursive: true, force: true });
      return;
    }
    if (!isCopyName(record.fileName))
      throw failure('storage', 'The record of the edited file is where the file should be.');
    const file = path.join(dir, record.fileName);
    const isMissing = (await fileSizeBytes(file)) === null;
    if (isMissing && (await holdsFiles(dir)))
      throw failure('storage', 'The file that was edited is missing, and others are in its folder.');
    if (isMissing || (await md5Of(file)) === record.md5) {
      await rm(dir, { recursive: true, force: true });
      return;
    }
    const one = liveOf(id, dir, record, 'open');
    watchOne(one);
    void soon(one);
  };

  /**
   * Sets aside a folder that cannot be resumed, under a name that says so, and reports it: it may hold unsent changes.
   */
  const giveUp = (dir: string, thrown: unknown): void => {
    let where = dir;
    try {
      where = setAside(dir, clock.nowMs());
    } catch (failed) {
      logger.error('Could not set aside the folder of an edited file.', { dir, err: failed });
    }
    logger.error('Could not resume a file open in another program.', { where, err: thrown });
    deps.events.announce({ kind: 'set-aside', what: 'edit', where });
  };

  return {
    list: () => [...live.values()].map(({ edit }) => edit),

    open: async ({ connectionId, bucket, key }) => {
      const fileName = copyNameOf(key);
      // Both names: what the key says, and what the system would go by.
      if (shell.openPath === undefined || !isDocumentName(key) || !isDocumentName(fileName))
        throw failure('unsupported', 'Files of this kind are not opened from a bucket.', {
          reason: 'edit-kind',
        });
      const place = { connectionId, bucket, key };
      const there = [...live.values()].find(
        ({ record, stopWatch }) => stopWatch !== null && isOf(record, place),
      );
      if (there !== undefined && there.edit.state !== 'fetching') {
        await shell.openPath(fileOf(there));
        return there.edit;
      }
      const one = await newCopy(place, null, 'fetching');
      try {
        const client = await deps.client(connectionId);
        const got = await client.getObject({ bucket, key }, { signal: one.aborter.signal });
        if (got.sizeBytes !== null && got.sizeBytes > largestEditBytes) {
          got.body.destroy();
          throw tooLarge();
        }
        await store(got.body, fileOf(one), one.aborter.signal, largestEditBytes);
        const md5 = await md5Of(fileOf(one));
        // Otherwise the next save would upload the damaged bytes.
        requireFit(await judgeFile(got, digestsOf(await readCopy(fileOf(one)))));
        await keep(one, { etag: got.etag, md5 });
        watchOne(one);
        set(one, { state: 'open', etag: got.etag });
        await shell.openPath(fileOf(one));
      } catch (thrown) {
        await remove(one);
        throw thrown;
      }
      return one.edit;
    },

    save: async ({ editId, etag, contentBase64, ...place }) => {
      const bytes = Buffer.from(contentBase64, 'base64');
      if (bytes.length > largestTextBytes) throw tooLarge();
      const there = editId === null ? undefined : live.get(editId);
      const isSame = there !== undefined && isOf(there.record, place);
      let one = isSame ? there : null;
      try {
        one ??= await newCopy(place, etag, 'open');
        await keepText(one, etag, bytes);
      } catch (thrown) {
        if (one !== null && !isSame) await remove(one);
        throw notKept(thrown);
      }
      await soon(one);
      return one.edit;
    },

    overwrite: async (editId) => {
      await soon(known(editId), true);
    },
    retry: async (editId) => {
      await soon(known(editId));
    },
    discard: async (editId) => {
      await remove(known(editId));
    },

    start: async () => {
      for (const id of (await absentAsNull(readdir(deps.dir))) ?? []) {
        if (isAsideName(id)) continue;
        const dir = path.join(deps.dir, id);
        try {
          await takeUp(id, dir);
        } catch (thrown) {
          giveUp(dir, thrown);
        }
      }
    },

    close: async () => {
      for (const one of live.values()) {
        one.stopWatch?.();
        await soon(one);
        // Changes that could not be sent wait for the next start, as does a file that its program has moved away while saving.
        if (one.edit.state === 'open' && (await fileSizeBytes(fileOf(one))) !== null)
          await rm(one.dir, { recursive: true, force: true });
        one.aborter.abort(failure('cancelled', 'The program ends.'));
      }
      live.clear();
    },
  };
}

function isOf(record: EditRecord, place: EditPlace): boolean {
  return (
    record.connectionId === place.connectionId && record.bucket === place.bucket && record.key === place.key
  );
}
