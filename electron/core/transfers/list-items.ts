import path from 'node:path';
import { failure, toAppError } from '../../../shared/errors.ts';
import { compareKeys } from '../../../shared/keys/order.ts';
import type { ItemNote } from '../../../shared/models/transfers.ts';
import { resultsOf } from '../walks/chosen-keys.ts';
import type { EffectContext } from '../jobs/job.ts';
import { foreignOf, noForeign, withForeign } from '../s3/listing/foreign.ts';
import { objectPages } from '../s3/listing/pages.ts';
import type { ListedObject, ListObjectsPage } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { foreignAttempt } from './items/foreign-note.ts';
import { type TransferDeps, localFileFailure } from './items/item-context.ts';
import { Settling, type ListGate } from './items/list-gate.ts';
import type { ItemStore } from './items/item-store.ts';
import { foldsNames } from '../disk/local-files.ts';
import { foldOf, keyOfSegments, numberedName, segmentsOfKey, type NameSystem } from './items/item-names.ts';
import { isNoted, noMove } from './pass.ts';
import type { TransferJob } from './items/transfer-job.ts';
import {
  newDownloadItem,
  newUploadItem,
  type DownloadItem,
  type Item,
  type UploadItem,
} from './items/transfer-item.ts';
import type { Moved, TransferEvent } from './items/transfer-transition.ts';
import { walkLocal, type ChosenPaths, type Found } from '../disk/walk-local.ts';

type Context = EffectContext<TransferEvent>;

export const nameSystem: NameSystem = process.platform === 'win32' ? 'windows' : 'posix';
const batchSize = 500;
const maxKeyBytes = 1024;

/**
 * Lists the chosen files and folders of an upload and persists them in batches. Restarts after a crash: nothing was
 * sent yet.
 */
export async function prepareUpload(
  items: ItemStore,
  job: TransferJob,
  context: Context,
): Promise<TransferEvent> {
  context.emit({ kind: 'list-cleared' }, () => items.clear(job.id));
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
  for await (const found of walkLocal(chosenOf(job), job.upload?.takesLinksOut ?? false, context.signal)) {
    batch.push(itemOfFound(job, found, seq));
    seq += 1;
    if (batch.length >= batchSize) flush();
  }
  flush();
  return { kind: 'prepared' };
}

function chosenOf({ sources, roots }: TransferJob): readonly ChosenPaths[] {
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
 * Lists the chosen keys and all keys below the chosen prefixes, page by page. Resumes after the last persisted page. Throws
 * `AppError('storage')` when the target folder cannot be created.
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
  let folds: boolean;
  try {
    folds = await foldsNames(folder, job.id);
  } catch (thrown) {
    throw localFileFailure(thrown);
  }
  const namer = new Namer(items, job.id, folds);
  let seq = job.counts.total;
  const settling = new Settling();
  // One prefix from its start, in the service's order, with names that cannot collide.
  const settlesEarly = !folds && seq === 0 && job.wanted.length === 1 && job.wanted[0]?.kind === 'prefix';
  // A job that restarts a listing already has some of its items.
  let isOrdered = job.counts.total === 0 || job.cursor.afterKey !== null;
  const write = (objects: readonly Wanted[], cursor: TransferJob['cursor']): void => {
    const listed = objects.map((object) => itemOfObject(job, object));
    // A single ordered list has no duplicate keys.
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
  // Chosen keys in a row are persisted together: each write stores the whole job, with all that was chosen.
  let keys: Wanted[] = [];
  const writeKeys = (next: number): void => {
    if (keys.length === 0) return;
    const chosen = keys;
    keys = [];
    write(chosen, { index: next, afterKey: null });
  };
  const { index: first, afterKey: firstAfter } = job.cursor;
  for (const [index, wanted] of job.wanted.entries()) {
    if (index < first) continue;
    if (wanted.kind === 'key') {
      const { key, versionId } = wanted;
      keys.push({ key, versionId, sizeBytes: null, etag: null, lastModified: null });
      if (keys.length >= batchSize) writeKeys(index + 1);
      continue;
    }
    writeKeys(index);
    const after = index === first ? firstAfter : null;
    if (wanted.kind === 'walk') {
      const results = resultsOf(deps.walks, job, wanted.walkId);
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
      { bucket: job.bucket, prefix: wanted.prefix, after },
      context.signal,
    )) {
      isOrdered &&= areInOrder(page.objects, last);
      last = page.objects.at(-1)?.key ?? last;
      foreign = withForeign(foreign, foreignOf(page.foreign));
      // An unordered list has no cursor: after a restart it is read from the start.
      write(
        page.objects,
        page.nextPageToken === null
          ? { index: index + 1, afterKey: null }
          : { index, afterKey: isOrdered ? last : null },
      );
    }
    if (foreign.count > 0) context.log(foreignAttempt(wanted.prefix, foreign));
  }
  writeKeys(job.wanted.length);
  return { kind: 'prepared' };
}

/**
 * Yields all keys of a prefix, after `after` on a resume. Fetches the next page while the last is persisted. Keys that
 * the service does not skip come twice; the items are deduped.
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
    // Directory buckets do not support `start-after`.
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

type Wanted = Pick<ListedObject, 'key' | 'etag' | 'lastModified'> & {
  readonly sizeBytes: number | null;
  readonly versionId?: string | undefined;
};

function itemOfObject(job: TransferJob, object: Wanted): DownloadItem {
  const { key } = object;
  const relative = key.startsWith(job.prefix) ? key.slice(job.prefix.length) : key;
  const isMarker = key.endsWith('/') && object.sizeBytes === 0 && relative !== '' && relative !== '/';
  const plain = isMarker ? relative.slice(0, -1) : relative;
  const localName = segmentsOfKey(plain, nameSystem).join('/');
  const note: ItemNote | null = localName === plain ? null : 'escaped';
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
    // The marker of the chosen folder itself: the local folder exists already.
    ...(relative === '' ? { state: 'skipped', localName: path.basename(job.folder ?? '') } : {}),
  });
}

/** Gives each item a unique path: no two files share one, and no file takes the path of a folder. */
class Namer {
  readonly #items: ItemStore;
  readonly #jobId: string;
  readonly #folds: boolean;
  #lastFolder = '';

  constructor(items: ItemStore, jobId: string, folds: boolean) {
    this.#items = items;
    this.#jobId = jobId;
    this.#folds = folds;
  }

  /** Returns the objects that the job does not have yet: a service may list a key on two pages. */
  fresh(found: readonly DownloadItem[]): readonly DownloadItem[] {
    const here = new Set<string>();
    return found.filter((item) => {
      const id = JSON.stringify([item.key, item.versionId]);
      if (here.has(id) || this.#has(item)) return false;
      here.add(id);
      return true;
    });
  }

  #has(item: DownloadItem): boolean {
    const isSame = (there: Item | null): boolean =>
      there?.work === 'download' && there.key === item.key && there.versionId === item.versionId;
    if (item.kind === 'folder')
      return isSame(this.#items.ofFold(this.#jobId, `${this.#fold(item.localName)}/`));
    // It may get a number if its name is taken.
    let name = item.localName;
    for (let number = 2; this.#isTaken(name); number += 1) {
      if (isSame(this.#items.ofFold(this.#jobId, this.#fold(name)))) return true;
      name = numberedName(item.localName, number);
    }
    return false;
  }

  /** Persists the item and returns it as stored. */
  put(item: DownloadItem): DownloadItem {
    if (item.state === 'skipped') {
      this.#items.put(this.#jobId, item);
      return item;
    }
    if (item.kind === 'folder') {
      this.#clearWay(item.localName);
      this.#items.put(this.#jobId, item, `${this.#fold(item.localName)}/`);
      return item;
    }
    this.#clearWay(item.localName.slice(0, Math.max(0, item.localName.lastIndexOf('/'))));
    const localName = this.#freeName(item.localName);
    const named: DownloadItem = localName === item.localName ? item : { ...item, localName, note: 'renamed' };
    this.#items.put(this.#jobId, named, this.#fold(localName));
    return named;
  }

  #fold(localName: string): string {
    return this.#folds ? foldOf(localName) : localName;
  }

  #freeName(localName: string): string {
    let name = localName;
    for (let number = 2; this.#isTaken(name); number += 1) name = numberedName(localName, number);
    return name;
  }

  #isTaken(localName: string): boolean {
    const fold = this.#fold(localName);
    return (
      this.#items.ofFold(this.#jobId, fold) !== null ||
      this.#items.ofFold(this.#jobId, `${fold}/`) !== null ||
      this.#items.hasBelow(this.#jobId, fold)
    );
  }

  /** Renames file `a` if there are keys below `a/`. */
  #clearWay(folder: string): void {
    if (folder === '' || folder === this.#lastFolder) return;
    this.#lastFolder = folder;
    const segments = folder.split('/');
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const above = segments.slice(0, depth).join('/');
      const inTheWay = this.#items.ofFold(this.#jobId, this.#fold(above));
      if (inTheWay?.work !== 'download' || inTheWay.kind === 'folder') continue;
      let localName = above;
      for (let number = 2; localName === above || this.#isTaken(localName); number += 1)
        localName = numberedName(above, number);
      this.#items.put(this.#jobId, { ...inTheWay, localName, note: 'renamed' }, this.#fold(localName));
    }
  }
}

function countsOf(found: readonly Item[]): Moved & { readonly total: number } {
  const counts = { ...noMove, total: found.length };
  for (const item of found) {
    if (item.state === 'skipped') counts.skipped += 1;
    else if (item.state === 'failed') counts.failed += 1;
    else counts.bytesTotal += item.sizeBytes ?? 0;
    if (isNoted(item)) counts.noted += 1;
  }
  return counts;
}
