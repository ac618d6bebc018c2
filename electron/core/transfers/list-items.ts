import path from 'node:path';
import { failure, toAppError } from '../../../shared/errors.ts';
import { compareKeys, numberedName } from '../../../shared/keys/paths.ts';
import type { ItemNote } from '../../../shared/models/transfers.ts';
import { resultsOf } from '../walks/chosen-keys.ts';
import type { EffectContext } from '../jobs/job.ts';
import { foreignOf, noForeign, withForeign } from '../s3/listing/prefixes.ts';
import { objectPages } from '../s3/listing/pages.ts';
import type { ListedObject, ListObjectsPage } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { foreignAttempt } from '../jobs/log-request.ts';
import { throwLocalFileFailure } from '../disk/disk-failure.ts';
import type { TransferDeps } from './items/item-context.ts';
import { Settling, type ListGate } from './items/due-items.ts';
import type { ItemStore } from './items/item-store.ts';
import { isCaseInsensitive } from '../disk/local-files.ts';
import { noCountChanges, type CountChanges, type TransferEvent } from './items/transfer-transition.ts';
import { isNoted } from './pass.ts';
import type { TransferJob } from './items/transfer-job.ts';
import {
  newDownloadItem,
  newUploadItem,
  type DownloadItem,
  type Item,
  type UploadItem,
} from './items/transfer-item.ts';
import { walkLocal, type ChosenPaths, type Found } from '../disk/walk-local.ts';
import { nameSystem, Namer, keyOfSegments, segmentsOfKey } from './items/item-names.ts';

type Context = EffectContext<TransferEvent>;

const batchSize = 500;
const maxKeyBytes = 1024;

/**
 * Lists the chosen files and folders of an upload and stores them as items in batches. After a crash, listing starts again,
 * because nothing was sent yet.
 */
export async function prepareUpload(
  items: ItemStore,
  job: TransferJob,
  context: Context,
): Promise<TransferEvent> {
  context.emit({ kind: 'list-cleared' }, () => items.clear(job.id));
  const keys = new UniqueKeys(job);
  let batch: UploadItem[] = [];
  let seq = 0;
  const flush = (): void => {
    if (batch.length === 0) return;
    const found = batch;
    batch = [];
    context.emit({ kind: 'items-found', found: countsOf(found), cursor: job.cursor }, () => {
      for (const item of found) items.put(job.id, item);
    });
  };
  for await (const found of walkLocal(
    chosenPathsOf(job),
    job.upload?.takesLinksOut ?? false,
    context.signal,
  )) {
    batch.push(keys.unique(itemOfFound(job, found, seq), found.root));
    seq += 1;
    if (batch.length >= batchSize) flush();
  }
  flush();
  return { kind: 'prepared' };
}

/**
 * Gives each file of an upload its own key. Files share a key if chosen files or folders from different places have the same
 * name; without this, the last one sent would replace the others.
 */
class UniqueKeys {
  /** The keys of files and prefixes of folders that the user chose. */
  readonly #chosen: ReadonlySet<string>;
  /** The sources whose name another source has too. */
  readonly #ambiguousRoots: ReadonlySet<number>;
  /** The path of the file that has each key. */
  readonly #pathOfKey = new Map<string, string>();

  constructor({ prefix, sources }: TransferJob) {
    const names = sources.map((source) => path.basename(source));
    this.#chosen = new Set(names.map((name) => prefix + keyOfSegments([name], nameSystem)));
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    this.#ambiguousRoots = new Set(
      names.flatMap((name, root) => ((counts.get(name) ?? 0) > 1 ? [root] : [])),
    );
  }

  unique(item: UploadItem, root: number): UploadItem {
    // Two placeholders of one folder are the same object.
    if (!this.#ambiguousRoots.has(root) || item.state === 'skipped' || item.kind === 'folder') return item;
    if (this.#pathOfKey.get(item.key) === item.path) return item;
    let { key } = item;
    for (let number = 2; this.#pathOfKey.has(key) || (number > 2 && this.#chosen.has(key)); number += 1)
      key = numberedName(item.key, number);
    this.#pathOfKey.set(key, item.path);
    // The user agreed to replace an object of the file's own name only.
    return key === item.key ? item : { ...item, key, note: item.note ?? 'renamed', decision: 'rename' };
  }
}

function chosenPathsOf({ sources, roots }: TransferJob): readonly ChosenPaths[] {
  return sources.map((source, index) => ({ path: source, real: roots[index] ?? null }));
}

function itemOfFound(job: TransferJob, found: Found, seq: number): UploadItem {
  const key = job.prefix + keyOfSegments(found.segments, nameSystem) + (found.kind === 'folder' ? '/' : '');
  const isTooLong = Buffer.byteLength(key) > maxKeyBytes;
  return newUploadItem({
    seq,
    key,
    path: found.path,
    root: found.root,
    ...(found.leaves ? { leaves: true } : {}),
    kind: found.kind,
    sizeBytes: found.sizeBytes,
    modifiedAt: found.modifiedAt,
    state: found.error !== null || isTooLong ? 'failed' : found.note === null ? 'todo' : 'skipped',
    note: isTooLong ? 'key-too-long' : found.note,
    error: isTooLong
      ? failure('invalid-argument', 'The key would be longer than 1024 bytes.', { reason: 'key-too-long' })
          .error
      : found.error,
  });
}

/**
 * Lists the chosen keys and all keys below the chosen prefixes, and stores them as items page by page. Continues after the last
 * stored page. Throws `AppError('storage')` if the target folder cannot be created.
 */
export async function prepareDownload(
  deps: TransferDeps,
  items: ItemStore,
  client: S3Client,
  job: TransferJob,
  context: Context,
  gate: ListGate,
): Promise<TransferEvent> {
  const folder = job.folder ?? '';
  const folds = await isCaseInsensitive(folder, job.id).catch(throwLocalFileFailure);
  const namer = new Namer(items, job.id, folds);
  let seq = job.counts.total;
  const settling = new Settling();
  // A later item can change an earlier name, unless one prefix is listed from its start on a case-sensitive file system.
  const settlesEarly = !folds && seq === 0 && job.wanted.length === 1 && job.wanted[0]?.kind === 'prefix';
  // A job that lists again from the start already has some of the items.
  let isOrdered = job.counts.total === 0 || job.cursor.afterKey !== null;
  const write = (objects: readonly ChosenObject[], cursor: TransferJob['cursor']): void => {
    const listed = objects.map((object) => itemOfObject(job, object));
    // A single sorted listing contains no key twice.
    const mayRepeat = !isOrdered || job.wanted.length > 1;
    const found = (mayRepeat ? namer.fresh(listed) : listed).map((item) => ({ ...item, seq: seq++ }));
    const named: DownloadItem[] = [];
    context.emit({ kind: 'items-found', found: countsOf(found), cursor }, () => {
      for (const item of found) named.push(namer.put(item));
    });
    gate.found(seq);
    if (!settlesEarly || !isOrdered) return;
    for (const [index, { seq: listedSeq, key, localName, kind }] of named.entries())
      settling.add({
        seq: listedSeq,
        key,
        isFile: kind === 'file',
        isPlain: localName === found[index]?.localName && found[index].note === null,
      });
    gate.settle(settling.settledSeq);
  };
  // Neighbouring chosen keys are stored together, because each write stores the whole job with all its chosen items.
  let keys: ChosenObject[] = [];
  const writeKeys = (next: number): void => {
    if (keys.length === 0) return;
    const chosen = keys;
    keys = [];
    write(chosen, { index: next, afterKey: null });
  };
  const { index: first, afterKey: firstAfter } = job.cursor;
  for (const [index, chosenItem] of job.wanted.entries()) {
    if (index < first) continue;
    if (chosenItem.kind === 'key') {
      const { key, versionId } = chosenItem;
      keys.push({ key, versionId, sizeBytes: null, etag: null, lastModified: null });
      if (keys.length >= batchSize) writeKeys(index + 1);
      continue;
    }
    writeKeys(index);
    const after = index === first ? firstAfter : null;
    if (chosenItem.kind === 'walk') {
      const results = resultsOf(deps.walks, job, chosenItem.walkId);
      const { signal } = context;
      for await (const page of results.pages({ signal, after: after ?? undefined }))
        write(page, { index, afterKey: page.at(-1)?.key ?? null });
      write([], { index: index + 1, afterKey: null });
      continue;
    }
    let last = after;
    let foreign = noForeign;
    for await (const page of pagesBelow(
      client,
      { bucket: job.bucket, prefix: chosenItem.prefix, after },
      context.signal,
    )) {
      isOrdered &&= areInOrder(page.objects, last);
      last = page.objects.at(-1)?.key ?? last;
      foreign = withForeign(foreign, foreignOf(page.foreign));
      // An unsorted listing cannot continue after a key, so after a restart it is read from its start.
      write(
        page.objects,
        page.nextPageToken === null
          ? { index: index + 1, afterKey: null }
          : { index, afterKey: isOrdered ? last : null },
      );
    }
    if (foreign.count > 0) context.log(foreignAttempt(chosenItem.prefix, foreign));
  }
  writeKeys(job.wanted.length);
  return { kind: 'prepared' };
}

/**
 * Yields all keys below a prefix, after the key `after` if it is set. Requests the next page while the caller stores the current
 * one. A service that ignores `after` repeats keys; the caller removes them.
 */
async function* pagesBelow(
  client: S3Client,
  {
    bucket,
    prefix,
    after,
  }: { readonly bucket: string; readonly prefix: string; readonly after: string | null },
  signal: AbortSignal,
): AsyncGenerator<ListObjectsPage, void, void> {
  const options = { signal, ahead: true };
  if (after === null) {
    yield* objectPages(client, { bucket, prefix }, options);
    return;
  }
  try {
    yield* objectPages(client, { bucket, prefix, startAfter: after }, options);
  } catch (thrown) {
    // Directory buckets do not support `start-after`, so they are listed from the start.
    if (toAppError(thrown).code !== 'unsupported') throw thrown;
    yield* objectPages(client, { bucket, prefix }, options);
  }
}

function areInOrder(objects: readonly ListedObject[], after: string | null): boolean {
  return objects.every(({ key }, index) => {
    const before = index === 0 ? after : (objects[index - 1]?.key ?? null);
    return before === null || compareKeys(before, key) < 0;
  });
}

type ChosenObject = Pick<ListedObject, 'key' | 'etag' | 'lastModified'> & {
  readonly sizeBytes: number | null;
  readonly versionId?: string | undefined;
};

function itemOfObject(job: TransferJob, object: ChosenObject): DownloadItem {
  const { key } = object;
  const relative = key.startsWith(job.prefix) ? key.slice(job.prefix.length) : key;
  const isMarker = key.endsWith('/') && object.sizeBytes === 0 && relative !== '' && relative !== '/';
  const plain = isMarker ? relative.slice(0, -1) : relative;
  const localName = segmentsOfKey(plain, nameSystem).join('/');
  const note: ItemNote | null = localName === plain ? null : 'escaped';
  const isOwnPlaceholder = relative === '' && object.sizeBytes === 0;
  return newDownloadItem({
    seq: 0,
    key,
    localName,
    kind: isMarker ? 'folder' : 'file',
    sizeBytes: object.sizeBytes,
    etag: object.etag,
    modifiedAt: object.lastModified,
    versionId: object.versionId ?? null,
    note,
    // The placeholder of the chosen folder itself needs no download, since the local folder already exists.
    ...(isOwnPlaceholder ? { state: 'skipped', localName: path.basename(job.folder ?? '') } : {}),
  });
}

function countsOf(found: readonly Item[]): CountChanges & { readonly total: number } {
  const counts = { ...noCountChanges, total: found.length };
  for (const item of found) {
    if (item.state === 'skipped') counts.skipped += 1;
    else if (item.state === 'failed') counts.failed += 1;
    else counts.bytesTotal += item.sizeBytes ?? 0;
    if (isNoted(item)) counts.noted += 1;
  }
  return counts;
}
