import path from 'node:path';
import { failure, toAppError } from '../../../../shared/errors.ts';
import type { Fetched, ReceivedObject } from './download-requests.ts';
import { decideDownloadTarget, isFileAsPlanned, isLeftOut, needsConfirmation } from './download-target.ts';
import { type KnownFolder, KnownFolders } from '../../disk/folder-syncs.ts';
import { localFileFailure, throwLocalFileFailure } from '../../disk/disk-failure.ts';
import {
  conflictPolicyOf,
  type Deferred,
  type ItemContext,
  saveItem,
  settled,
} from '../items/item-context.ts';
import { markNamed } from '../../disk/downloaded-mark.ts';
import {
  ensureFolder,
  lstatOrNull,
  type MadeFolder,
  placeNew,
  placeOver,
  removeFile,
} from '../../disk/local-files.ts';
import type { TransferJob } from '../items/transfer-job.ts';
import { type DownloadItem, itemOfWork } from '../items/transfer-item.ts';
import type { LocalSource } from '../../disk/fence.ts';
import { fetchLarge } from './download-large.ts';
import { fetchSmall, fetchWhole, smallBytes } from './download-whole.ts';

const maxRestarts = 3;
/** For each run of a job, the folders that exist or that this run created. */
const knownFolders = new WeakMap<TransferJob, KnownFolders>();

/**
 * Downloads one object. Returns the item's new state, which the caller stores, or a deferred last step. Throws
 * `AppError('storage')` for an error of the file system, and the service's error.
 */
export async function downloadItem(
  context: ItemContext,
  item: DownloadItem,
): Promise<DownloadItem | Deferred> {
  try {
    return await fetchInto(context, item);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.reason === 'precondition-failed') return await startAgain(context, item);
    throw localFileFailure(thrown);
  }
}

/** Returns the path of the item's partial file: in the folder of the target, under a temporary name. */
export function partPathOf(
  jobId: string,
  folder: string,
  item: Pick<DownloadItem, 'seq' | 'localName'>,
): string {
  const segments = item.localName.split('/').slice(0, -1);
  return path.join(folder, ...segments, partName(jobId, item.seq));
}

function partName(jobId: string, seq: number): string {
  return `.cooper-${jobId.slice(0, 13)}-${seq}.part`;
}

/**
 * Appends a name to a normalized folder path. `path.join` is so slow that it would take longer per file than storing its item.
 */
function pathIn(parent: string, name: string): string {
  return parent.endsWith(path.sep) ? parent + name : parent + path.sep + name;
}

function nameOf({ localName }: Pick<DownloadItem, 'localName'>): string {
  return localName.slice(localName.lastIndexOf('/') + 1);
}

function folderOf(context: ItemContext): string {
  if (context.job.folder === null) throw failure('internal', 'The download job has no folder.');
  return context.job.folder;
}

async function fetchInto(context: ItemContext, item: DownloadItem): Promise<DownloadItem | Deferred> {
  const root = folderOf(context);
  const segments = item.localName.split('/');
  if (item.kind === 'folder') {
    await ensureFolder(root, segments);
    return settled(item, { state: 'done' });
  }
  // The user must confirm this file, so ask before its folder is created.
  if (item.placing === null && (isLeftOut(item) || needsConfirmation(context, item, root)))
    return await decideDownloadTarget(context, item, root);
  const parent = await parentOf(context, root, segments.slice(0, -1));
  const part = pathIn(parent.path, partName(context.job.id, item.seq));
  if (item.placing !== null && (await isPlaced(item.placing, pathIn(parent.path, nameOf(item))))) {
    await removeFile(part);
    return settled(item, { state: 'done', verified: item.verified });
  }
  const decided = canSkipTargetCheck(context, item, parent)
    ? item
    : await decideDownloadTarget(context, item, root);
  if (decided.state !== 'todo') {
    if (decided.state !== 'asking') await removeFile(part);
    return decided.state === 'asking' ? { ...decided, sync: null } : decided;
  }
  const { item: fetchedItem, received } = await fetchObject(context, decided, { path: part, within: root });
  const fetched = nameByProof(fetchedItem, received);
  const placeFile = async (): Promise<DownloadItem> =>
    await place(context, fetched, received, part, parent.path);
  if (received.bytes === null) return await placeFile();
  return {
    heldBytes: received.bytes.byteLength,
    finish: async () => await placeFile().catch(throwLocalFileFailure),
  };
}

/**
 * Returns true if the target need not be checked, because this run created its folder. That saves a `stat` per file. If a file
 * appears there anyway, placing the new one does not replace it. If overwriting is allowed, the target is always checked.
 */
function canSkipTargetCheck(context: ItemContext, item: DownloadItem, parent: KnownFolder): boolean {
  return (
    parent.isCreatedByJob &&
    item.tries === 0 &&
    item.sync === null &&
    conflictPolicyOf(context, item) !== 'overwrite'
  );
}

async function parentOf(
  context: ItemContext,
  root: string,
  segments: readonly string[],
): Promise<KnownFolder> {
  const known = knownFolders.get(context.job) ?? new KnownFolders();
  knownFolders.set(context.job, known);
  const make = async (): Promise<MadeFolder> => await ensureFolder(root, segments);
  return await known.ensure(path.join(root, ...segments), context.deps.clock.monotonicMs(), make);
}

/** Returns true if the file at the target is this item's file, so an interrupted rename did happen. */
async function isPlaced(placing: NonNullable<DownloadItem['placing']>, target: string): Promise<boolean> {
  const found = await lstatOrNull(target);
  return (
    found !== null &&
    found.isFile() &&
    String(found.ino) === placing.inode &&
    Number(found.size) === placing.sizeBytes
  );
}

/** Returns the item with its usual name if a file that the user keeps as unverified turns out to be undamaged. */
function nameByProof(item: DownloadItem, { verified }: ReceivedObject): DownloadItem {
  if (item.unverified === null) return item;
  return verified === true ? { ...item, localName: item.unverified } : { ...item, note: 'unverified' };
}

/** Renames the finished file to its final name. Replaces no file unless the user agreed to that. */
async function place(
  context: ItemContext,
  item: DownloadItem,
  received: ReceivedObject,
  part: string,
  parent: string,
): Promise<DownloadItem> {
  const target = pathIn(parent, nameOf(item));
  const mayReplace = conflictPolicyOf(context, item) === 'overwrite';
  let known: DownloadItem = {
    ...item,
    sizeBytes: received.sizeBytes,
    etag: received.etag,
    verified: received.verified,
  };
  // The intended rename is stored first, so that a large file is not downloaded again after a crash.
  if (item.pieces !== null) {
    const partStats = await lstatOrNull(part);
    if (partStats !== null)
      known = saveItem(context, {
        ...known,
        placing: { inode: String(partStats.ino), sizeBytes: received.sizeBytes },
      });
  }
  // Decides again by the file that is at the target now. A large partial file stays until the user decides.
  const placeAgain = async (again: DownloadItem): Promise<DownloadItem> => {
    const decided = await decideDownloadTarget(context, again, folderOf(context));
    if (decided.state === 'todo') return await place(context, decided, received, part, parent);
    if (decided.state !== 'asking' || decided.pieces === null) await removeFile(part);
    return decided.state === 'asking' ? { ...decided, sync: null } : decided;
  };
  context.signal.throwIfAborted();
  if (item.sync !== null && item.sync.target !== null) {
    const found = await lstatOrNull(target);
    // The local file changed during the download, so the user must agree again.
    if (found !== null && !isFileAsPlanned(item, found))
      return await placeAgain({ ...known, decision: null });
  }
  // Another file took the name meanwhile, so the policy for conflicts applies.
  if (!(await moveToTarget(context, received, part, target, mayReplace))) return await placeAgain(known);
  // For a small file held in memory, the caller flushes the folder to disk once for many files, before they count as done.
  if (received.bytes === null) await context.deps.folderSyncs.sync(parent);
  return settled(known, { state: 'done', verified: received.verified });
}

/** Moves the file to its final name. Returns false if the name is taken; the existing file is kept. */
async function moveToTarget(
  context: ItemContext,
  received: ReceivedObject,
  part: string,
  target: string,
  mayReplace: boolean,
): Promise<boolean> {
  const { files, hasher } = context.deps;
  const { bytes, seconds } = received;
  let isPlaced = true;
  if (bytes !== null)
    isPlaced = await files.placeSmall(
      hasher,
      { part, target, within: folderOf(context), bytes, seconds, mayReplace },
      context.signal,
    );
  else if (mayReplace) await placeOver(part, target);
  else isPlaced = await placeNew(part, target);
  if (isPlaced) await markNamed(target);
  return isPlaced;
}

/**
 * Discards the received bytes of an object that changed, and returns the item to start again. Throws after `maxRestarts`
 * restarts.
 */
async function startAgain(context: ItemContext, item: DownloadItem): Promise<DownloadItem> {
  const saved = context.items.get(context.job.id, item.seq);
  const now = saved === null ? item : itemOfWork(saved, 'download');
  await removeFile(partPathOf(context.job.id, folderOf(context), now));
  if (now.restarts >= maxRestarts)
    throw failure('conflict', 'The object changed repeatedly while it was read.', {
      reason: 'object-changed',
      retry: 'after-fix',
    });
  return {
    ...now,
    etag: null,
    sizeBytes: null,
    pieces: null,
    placing: null,
    restarts: now.restarts + 1,
    // They were damages of the object that is gone.
    damages: 0,
  };
}

/** Returns true if the object is held in memory until its file is created. */
function isHeldInMemory(item: DownloadItem, pieceBytes: number): boolean {
  return (
    item.sizeBytes !== null &&
    item.sizeBytes <= Math.min(smallBytes, pieceBytes) &&
    item.pieces === null &&
    item.unverified === null &&
    // The file to replace was shown in a plan and is checked just before the rename, so the new file must not wait for other
    // files.
    (item.sync?.target ?? null) === null
  );
}

/** Downloads the missing bytes of an object, into memory if it is small, otherwise into the partial file. */
async function fetchObject(context: ItemContext, item: DownloadItem, part: LocalSource): Promise<Fetched> {
  const { deps } = context;
  if (isHeldInMemory(item, deps.pieceBytes)) return { item, received: await fetchSmall(context, item) };
  const isWhole = item.sizeBytes !== null && item.sizeBytes <= deps.pieceBytes;
  if (item.pieces === null && (isWhole || item.unverified !== null))
    return { item, received: await fetchWhole(context, item, part) };
  return await fetchLarge(context, item, part);
}
