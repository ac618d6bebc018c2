import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure, toAppError } from '../../../shared/errors.ts';
import { isDocumentName } from '../../../shared/keys/file-kind.ts';
import {
  largestEditBytes,
  largestTextBytes,
  type Edit,
  type EditPlace,
  type SavedText,
} from '../../../shared/models/edits.ts';
import { diskFailure } from '../disk/disk-failure.ts';
import type { EventHub } from '../settings/events.ts';
import type { Ports } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { isAsideName, setAside, absentAsNull, writeFileAtomically } from '../store/safe-files.ts';
import { digestsOf, judgeFile, requireFit } from '../transfers/downloads/verify-file.ts';
import {
  copyNameOf,
  md5Of,
  saveFailure,
  readCopy,
  removeFolder,
  fileSizeBytes,
  isRecordOf,
  store,
  tooLarge,
  unsentRecord,
  watchSaves,
  writeRecord,
  type EditRecord,
} from './edit-file.ts';
import { sendCopy } from './send-copy.ts';

export interface EditsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'shell'>;
  /** The folder for the copies, created on first use. No other program uses it. */
  readonly dir: string;
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly events: EventHub;
  /** Called after an object was replaced by its edited copy. */
  readonly onSent: (place: EditPlace) => void;
}

export interface Edits {
  list(): Edit[];
  open(place: EditPlace): Promise<Edit>;
  /** Writes text from the window to a copy on disk, then sends it. Returns the resulting edit. Throws if writing failed. */
  save(text: SavedText): Promise<Edit>;
  overwrite(editId: string): Promise<void>;
  retry(editId: string): Promise<void>;
  discard(editId: string): Promise<void>;
  /** Resumes edits that an earlier run could not send, and removes folders without unsent changes. */
  start(): Promise<void>;
  /** Sends the last save, and removes copies without unsent changes. */
  close(): Promise<void>;
}

interface LiveEdit {
  /** The edit as the window shows it. */
  shown: Edit;
  record: EditRecord;
  readonly dir: string;
  readonly aborter: AbortController;
  stopWatch: (() => void) | null;
  /** Runs the checks one after another, and the first one after the download, because a partial copy must not be uploaded. */
  lastCheck: Promise<void>;
}

/**
 * Opens objects with the system's program: downloads a copy, watches it, and uploads each save, unless the object changed
 * elsewhere.
 */
export function createEdits(deps: EditsDeps): Edits {
  const { clock, random, logger, shell } = deps.ports;
  const liveEdits = new Map<string, LiveEdit>();

  const updateEdit = (edit: LiveEdit, change: Partial<Edit>): void => {
    edit.shown = { ...edit.shown, ...change };
    deps.events.emit({ kind: 'edits-changed' });
  };
  const requireEdit = (editId: string): LiveEdit => {
    const edit = liveEdits.get(editId);
    if (edit === undefined)
      throw failure('not-found', 'This file is no longer open.', { reason: 'no-such-edit' });
    return edit;
  };
  const fileOf = (edit: LiveEdit): string => path.join(edit.dir, edit.record.fileName);
  const updateRecord = (edit: LiveEdit, change: Partial<EditRecord>): Promise<void> => {
    edit.record = { ...edit.record, ...change };
    return writeRecord(edit.dir, edit.record, random.id());
  };

  /** Sends the file if its content differs from the object in the bucket. */
  const sendIfChanged = async (edit: LiveEdit, mayReplace: boolean): Promise<void> => {
    const size = await fileSizeBytes(fileOf(edit));
    // While saving, a program may remove the file for a moment.
    if (size === null || edit.aborter.signal.aborted) return;
    if (size > largestEditBytes) {
      updateEdit(edit, { state: 'failed', error: tooLarge().error });
      return;
    }
    const bytes = await readCopy(fileOf(edit));
    const md5 = createHash('md5').update(bytes).digest('hex');
    if (md5 === edit.record.md5) {
      if (edit.shown.state !== 'open') updateEdit(edit, { state: 'open', error: null });
      return;
    }
    if (edit.shown.state === 'conflict' && !mayReplace) return;
    updateEdit(edit, { state: 'sending', error: null });
    try {
      const client = await deps.client(edit.record.connectionId);
      const etag = await sendCopy(client, edit.record, {
        bytes,
        mayReplace,
        signal: edit.aborter.signal,
        onDamaged: async (left) => {
          await updateRecord(edit, { etag: left });
          // The next save from the window will replace that object too.
          updateEdit(edit, { etag: left });
        },
      });
      await updateRecord(edit, { etag, md5 });
      updateEdit(edit, { state: 'open', etag, sentAt: new Date(clock.nowMs()).toISOString() });
      deps.onSent(edit.record);
    } catch (thrown) {
      const error = toAppError(diskFailure(thrown));
      logger.warn('Could not upload a file that another program saved.', { code: error.code });
      const isConflict = error.code === 'conflict' || error.reason === 'edit-changed';
      updateEdit(edit, { state: isConflict ? 'conflict' : 'failed', error });
    }
  };

  const scheduleCheck = (edit: LiveEdit, mayReplace = false): Promise<void> => {
    edit.lastCheck = edit.lastCheck
      .then(() => sendIfChanged(edit, mayReplace))
      .catch((thrown: unknown) => {
        logger.warn('Could not read a file open in another program.', { err: thrown });
        updateEdit(edit, { state: 'failed', error: toAppError(diskFailure(thrown)) });
      });
    return edit.lastCheck;
  };
  const watchEdit = (edit: LiveEdit): void => {
    edit.stopWatch = watchSaves(edit.dir, () => void scheduleCheck(edit));
  };
  const remove = async (edit: LiveEdit): Promise<void> => {
    edit.stopWatch?.();
    edit.aborter.abort(failure('cancelled', 'The file was closed.'));
    liveEdits.delete(edit.shown.id);
    deps.events.emit({ kind: 'edits-changed' });
    await removeFolder(edit.dir);
  };
  const addLiveEdit = (id: string, dir: string, record: EditRecord, state: Edit['state']): LiveEdit => {
    const { connectionId, bucket, key, etag } = record;
    const edit: Edit = { id, connectionId, bucket, key, state, etag, sentAt: null, error: null };
    const created: LiveEdit = {
      shown: edit,
      record,
      dir,
      aborter: new AbortController(),
      stopWatch: null,
      lastCheck: Promise.resolve(),
    };
    liveEdits.set(id, created);
    return created;
  };

  const newCopy = async (place: EditPlace, etag: string | null, state: Edit['state']): Promise<LiveEdit> => {
    const id = random.id();
    const dir = path.join(deps.dir, id);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return addLiveEdit(
      id,
      dir,
      { version: 1, ...place, fileName: copyNameOf(place.key), etag, md5: '' },
      state,
    );
  };

  /** Downloads the object into its copy. Removes the edit if that fails. */
  const fetchCopy = async (edit: LiveEdit): Promise<void> => {
    const { connectionId, bucket, key } = edit.record;
    const { signal } = edit.aborter;
    try {
      const client = await deps.client(connectionId);
      const download = await client.getObject({ bucket, key }, { signal });
      if (download.sizeBytes !== null && download.sizeBytes > largestEditBytes) {
        download.body.destroy();
        throw tooLarge();
      }
      await store(download.body, fileOf(edit), signal, largestEditBytes);
      const md5 = await md5Of(fileOf(edit));
      // Without this check, the next save would upload damaged content.
      requireFit(await judgeFile(download, digestsOf(await readCopy(fileOf(edit)))));
      signal.throwIfAborted();
      await updateRecord(edit, { etag: download.etag, md5 });
      watchEdit(edit);
      updateEdit(edit, { state: 'open', etag: download.etag });
    } catch (thrown) {
      await remove(edit);
      throw thrown;
    }
  };

  const writeText = async (edit: LiveEdit, etag: string, bytes: Buffer): Promise<void> => {
    const write = async (): Promise<void> => {
      await writeFileAtomically(fileOf(edit), bytes, { suffix: random.id() });
      await updateRecord(edit, { etag });
      updateEdit(edit, { state: 'open', etag, error: null });
    };
    const pendingWrite = edit.lastCheck.then(write);
    edit.lastCheck = pendingWrite.catch(() => undefined);
    await pendingWrite;
  };

  /** Resumes an edit of an earlier run if it has unsent changes; otherwise removes its folder. */
  const resumeEdit = async (id: string, dir: string): Promise<void> => {
    const record = await unsentRecord(dir);
    if (record === null) {
      await rm(dir, { recursive: true, force: true });
      return;
    }
    const edit = addLiveEdit(id, dir, record, 'open');
    watchEdit(edit);
    void scheduleCheck(edit);
  };

  /** Renames a folder that cannot be resumed to a name that shows it, and reports it, because it may contain unsent changes. */
  const giveUp = (dir: string, thrown: unknown): void => {
    let where = dir;
    try {
      where = setAside(dir, clock.nowMs());
    } catch (failed) {
      logger.error('Could not set aside the folder of an edited file.', { dir, err: failed });
    }
    logger.error('Could not resume a file open in another program.', { where, err: thrown });
    deps.events.announce({ kind: 'set-aside', data: 'edit', where });
  };

  return {
    list: () => [...liveEdits.values()].map(({ shown }) => shown),

    open: async ({ connectionId, bucket, key }) => {
      const fileName = copyNameOf(key);
      // Both the key's name and the name on disk are checked, because the system chooses the program by the latter.
      if (shell.openPath === undefined || !isDocumentName(key) || !isDocumentName(fileName))
        throw failure('unsupported', 'Files of this kind are not opened from a bucket.', {
          reason: 'edit-kind',
        });
      const place = { connectionId, bucket, key };
      const openEdit = [...liveEdits.values()].find(
        ({ record, stopWatch }) => stopWatch !== null && isRecordOf(record, place),
      );
      if (openEdit !== undefined && openEdit.shown.state !== 'fetching') {
        await shell.openPath(fileOf(openEdit));
        return openEdit.shown;
      }
      const edit = await newCopy(place, null, 'fetching');
      const fetched = fetchCopy(edit);
      edit.lastCheck = fetched.catch(() => undefined);
      await fetched;
      try {
        await shell.openPath(fileOf(edit));
      } catch (thrown) {
        await remove(edit);
        throw thrown;
      }
      return edit.shown;
    },

    save: async ({ editId, etag, contentBase64, ...place }) => {
      const bytes = Buffer.from(contentBase64, 'base64');
      if (bytes.length > largestTextBytes) throw tooLarge();
      const existingEdit = editId === null ? undefined : liveEdits.get(editId);
      const isSame = existingEdit !== undefined && isRecordOf(existingEdit.record, place);
      let edit = isSame ? existingEdit : null;
      try {
        edit ??= await newCopy(place, etag, 'open');
        await writeText(edit, etag, bytes);
      } catch (thrown) {
        if (edit !== null && !isSame) await remove(edit);
        throw saveFailure(thrown);
      }
      await scheduleCheck(edit);
      return edit.shown;
    },

    overwrite: async (editId) => await scheduleCheck(requireEdit(editId), true),
    retry: async (editId) => await scheduleCheck(requireEdit(editId)),
    discard: async (editId) => await remove(requireEdit(editId)),

    start: async () => {
      for (const id of (await absentAsNull(readdir(deps.dir))) ?? []) {
        if (isAsideName(id)) continue;
        const dir = path.join(deps.dir, id);
        try {
          await resumeEdit(id, dir);
        } catch (thrown) {
          giveUp(dir, thrown);
        }
      }
    },

    close: async () => {
      const quitting = failure('cancelled', 'Cooper is quitting.');
      for (const { shown, aborter } of liveEdits.values())
        if (shown.state === 'fetching') aborter.abort(quitting);
      for (const edit of liveEdits.values()) {
        edit.stopWatch?.();
        await scheduleCheck(edit);
        try {
          // Copies with unsent changes stay for the next start. So do those whose file is missing because its program is saving.
          if (edit.shown.state === 'open' && (await fileSizeBytes(fileOf(edit))) !== null)
            await rm(edit.dir, { recursive: true, force: true });
        } catch (thrown) {
          logger.warn('Could not remove the folder of an edited file.', { err: thrown });
        }
        edit.aborter.abort(quitting);
      }
      liveEdits.clear();
    },
  };
}
