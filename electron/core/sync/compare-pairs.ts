import { toAppError } from '../../../shared/errors.ts';
import type { SyncComparison, SyncDirection, SyncReason } from '../../../shared/models/sync.ts';
import { inParallel } from '../flow/loops.ts';
import { etagHidesMd5, md5InEtag } from '../s3/model/etag.ts';
import { headOrNull } from '../s3/conditions/look-at-key.ts';
import type { ObjectHead } from '../s3/model/object-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { mtimeName, secondsOfMtime } from '../transfers/items/mtime.ts';
import { nameSystem, foldOf, keyOfSegments } from '../transfers/items/item-names.ts';
import { fitsEtag } from '../transfers/downloads/verify-file.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import { localPathOf } from './gather.ts';
import { ObstacleWays } from './remove-local.ts';
import type { LocalEntry, PlannedRow, PlanTable, RemoteEntry } from './plan-table.ts';
import { isMarkerKey, timeVerdict } from './sync-rules.ts';
import { compareKeys } from '../../../shared/keys/paths.ts';

export interface PlanContext {
  readonly direction: SyncDirection;
  readonly comparison: SyncComparison;
  readonly bucket: string;
  readonly prefix: string;
  /** The real path of the local folder. */
  readonly folder: string;
  readonly folds: boolean;
  readonly table: PlanTable;
  readonly client: S3Client;
  readonly hasher: Hasher;
  readonly signal: AbortSignal;
}

type EntryPair = Pair<LocalEntry, RemoteEntry>;

const batchSize = 200;
const maxParallelPairs = 16;

/** Compares both sides key by key and passes the planned actions to `onRows`, in key order. Changes nothing. */
export async function comparePairs(
  context: PlanContext,
  onRows: (rows: readonly PlannedRow[]) => void,
): Promise<void> {
  const { table, signal } = context;
  const ways = new ObstacleWays(context.folder);
  /** The last folder that could not be read. Its content is unknown, so files in it do not count as missing. */
  let blind: { readonly folder: string; readonly reason: SyncReason } | null = null;
  let batch: { readonly pair: EntryPair; readonly blindReason: SyncReason | null }[] = [];
  const flush = async (): Promise<void> => {
    const rows = await inParallel(batch, maxParallelPairs, async ({ pair, blindReason }) => {
      signal.throwIfAborted();
      return await decide(context, ways, pair, blindReason);
    });
    batch = [];
    onRows(rows.filter((row) => row !== null));
  };
  for (const pair of mergeByKey(table.locals(), table.remotes())) {
    const { local } = pair;
    if (local !== null && local.kind === 'folder' && local.note !== null)
      blind = { folder: local.key, reason: local.note };
    batch.push({
      pair,
      blindReason: blind !== null && pair.key.startsWith(blind.folder) ? blind.reason : null,
    });
    if (batch.length >= batchSize) await flush();
  }
  await flush();
}

async function decide(
  context: PlanContext,
  ways: ObstacleWays,
  pair: EntryPair,
  blindReason: SyncReason | null,
): Promise<PlannedRow | null> {
  const base = rowOf(pair);
  const { local } = pair;
  const skipped = (reason: SyncReason): PlannedRow => ({ ...base, action: 'skipped', reason });
  if (local !== null && local.note !== null) return skipped(local.note);
  if (blindReason !== null) return skipped(blindReason);
  return context.direction === 'up'
    ? await decideUp(context, pair, base)
    : await decideDown(context, ways, pair, base, skipped);
}

async function decideUp(
  context: PlanContext,
  { key, local, remote }: EntryPair,
  base: PlannedRow,
): Promise<PlannedRow> {
  const { table } = context;
  if (local !== null && remote !== null) return await compareEntries(context, local, remote, base);
  if (local !== null) return { ...base, action: 'copy' };
  // The placeholder of an existing folder with content needs no action.
  const isMarker = remote !== null && isMarkerKey(key, remote.sizeBytes);
  if (isMarker && table.hasFolder('local', `${base.localName}/`)) return { ...base, action: 'same' };
  const hidden = hiddenBy(table, base.localName);
  return hidden === null ? { ...base, action: 'delete' } : { ...base, action: 'skipped', reason: hidden };
}

/**
 * Returns why a path may exist although it was not listed: an unreadable entry or broken link above it may be a folder. Null if
 * there is no such reason.
 */
function hiddenBy(table: PlanTable, localName: string): SyncReason | null {
  for (const key of keysAbove(localName)) {
    const note = table.local(key)?.note ?? table.local(`${key}/`)?.note ?? null;
    if (note !== null) return note;
  }
  return null;
}

/** Returns the keys of a path's parent folders without the final `/`, outermost first. */
function keysAbove(localName: string): readonly string[] {
  const segments = localName.split('/');
  return segments.slice(1).map((_, depth) => keyOfSegments(segments.slice(0, depth + 1), nameSystem));
}

async function decideDown(
  context: PlanContext,
  ways: ObstacleWays,
  { key, local, remote }: EntryPair,
  base: PlannedRow,
  skipped: (reason: SyncReason) => PlannedRow,
): Promise<PlannedRow> {
  const { table } = context;
  if (context.folds) {
    const fold = foldName(base.localName, key);
    const hasNameConflict =
      (local === null && table.sharesFold('local', fold, key, 'any')) ||
      (remote === null && table.sharesFold('remote', fold, key, 'any')) ||
      (local === null && table.sharesFold('remote', fold, key, 'before'));
    if (hasNameConflict) return skipped('same-name');
  }
  if (remote === null) {
    // The local folder is empty, but the bucket has objects below it, so it stays.
    if (local?.kind === 'folder' && table.hasFolder('remote', `${base.localName}/`))
      return { ...base, action: 'same' };
    return { ...base, action: 'delete', keep: nearestRemoteFolder(table, base.localName) };
  }
  const isMarker = isMarkerKey(key, remote.sizeBytes);
  if (!isMarker && table.hasFolder('remote', `${base.localName}/`)) return skipped('file-and-folder');
  if (local !== null)
    return isMarker ? { ...base, action: 'same' } : await compareEntries(context, local, remote, base);
  if (isMarker && table.hasFolder('local', `${base.localName}/`)) return { ...base, action: 'same' };
  const way = await ways.of(base.localName, isMarker);
  if (way === 'link') return skipped('link');
  if (way === 'in-the-way' && isBelowKeptFile(table, base.localName)) return skipped('file-and-folder');
  return { ...base, action: 'copy', reason: way === 'in-the-way' ? 'needs-deletion' : null };
}

/**
 * Returns true if the bucket has a file and a folder with the same name above the path, and the local disk has that file. The
 * file stays.
 */
function isBelowKeptFile(table: PlanTable, localName: string): boolean {
  return keysAbove(localName).some((above) => table.has('remote', above) && table.has('local', above));
}

/**
 * Returns a name in the form in which a case-insensitive disk compares it. A folder's form ends with `/`, so it differs from a
 * file's.
 */
export function foldName(local: string, key: string): string {
  return foldOf(local) + (key.endsWith('/') ? '/' : '');
}

/** Returns the nearest parent folder that the bucket also has. Folders below it are removed if they become empty. */
function nearestRemoteFolder(table: PlanTable, localName: string): string {
  const segments = localName.split('/').slice(0, -1);
  for (let depth = segments.length; depth > 0; depth -= 1) {
    const folder = `${segments.slice(0, depth).join('/')}/`;
    if (table.hasFolder('remote', folder)) return folder;
  }
  return '';
}

/** Compares a local entry with the object of the same key. */
async function compareEntries(
  context: PlanContext,
  local: LocalEntry,
  remote: RemoteEntry,
  base: PlannedRow,
): Promise<PlannedRow> {
  const differs = (reason: SyncReason): PlannedRow => ({ ...base, action: 'overwrite', reason });
  if (local.kind === 'folder') return { ...base, action: 'same' };
  if (local.sizeBytes !== remote.sizeBytes) return differs('size');
  if (context.comparison === 'hash') {
    const verdict = await matchesEtag(context, local, remote);
    if (verdict !== null) return verdict ? { ...base, action: 'same' } : differs('hash');
  }
  const byTime = context.comparison === 'hash';
  const head = await headOf(context, remote.key);
  const seconds = head === null ? null : secondsOfMtime(head.metadata[mtimeName]);
  const stored = remote.modifiedAt ?? head?.lastModified ?? null;
  const verdict = timeVerdict(context.direction, {
    localMs: local.modifiedMs,
    metaMs: seconds === null ? null : seconds * 1000,
    storedMs: stored === null ? null : Date.parse(stored),
  });
  if (verdict === 'differs') return { ...differs('time'), byTime };
  if (verdict === 'unsure' && !byTime && (await matchesEtag(context, local, remote)) === false)
    return differs('hash');
  return { ...base, action: 'same', byTime };
}

/** Returns true if the file matches the ETag, false if it differs, and null if the ETag cannot decide. */
async function matchesEtag(
  context: PlanContext,
  local: LocalEntry,
  remote: RemoteEntry,
): Promise<boolean | null> {
  const { etag, sizeBytes } = remote;
  if (etag === null) return null;
  const file = {
    path: localPathOf(context.folder, local.local),
    ...(local.leaves ? {} : { within: context.folder }),
  };
  if ((await fitsEtag(context.hasher, file, sizeBytes, etag, context.signal)) === true) return true;
  if (md5InEtag(etag) === null) return null;
  // The ETag of an encrypted object may only look like an MD5.
  const head = await headOf(context, remote.key);
  return head !== null && !etagHidesMd5(head.headers) ? false : null;
}

/** Returns the response to HEAD; null if reading is not permitted or the object was deleted meanwhile. */
async function headOf(context: PlanContext, key: string): Promise<ObjectHead | null> {
  const { client, bucket, prefix, signal } = context;
  try {
    return await headOrNull(client, { bucket, key: prefix + key }, { signal });
  } catch (thrown) {
    const { code } = toAppError(thrown);
    if (code === 'access-denied' || code === 'invalid-argument') return null;
    throw thrown;
  }
}

function rowOf({ key, local, remote }: EntryPair): PlannedRow {
  const isMarker = remote !== null && isMarkerKey(key, remote.sizeBytes);
  return {
    key,
    localName: (local ?? remote)?.local ?? key,
    kind: local?.kind ?? (isMarker ? 'folder' : 'file'),
    action: 'same',
    reason: null,
    local:
      local === null
        ? null
        : {
            sizeBytes: local.sizeBytes,
            modifiedAt: local.modifiedMs === null ? null : new Date(local.modifiedMs).toISOString(),
          },
    remote: remote === null ? null : { sizeBytes: remote.sizeBytes, modifiedAt: remote.modifiedAt },
    byTime: false,
    etag: remote?.etag ?? null,
    localMs: local?.modifiedMs ?? null,
    leaves: local?.leaves ?? false,
    keep: null,
  };
}

interface Keyed {
  readonly key: string;
}

interface Pair<L extends Keyed, R extends Keyed> {
  readonly key: string;
  readonly local: L | null;
  readonly remote: R | null;
}

/** Merges two lists that are sorted by key (UTF-8) into pairs. A key in both lists gives one pair. */
export function* mergeByKey<L extends Keyed, R extends Keyed>(
  locals: Iterable<L>,
  remotes: Iterable<R>,
): Generator<Pair<L, R>, void, void> {
  const left = locals[Symbol.iterator]();
  const right = remotes[Symbol.iterator]();
  let local = nextOf(left);
  let remote = nextOf(right);
  while (local !== null || remote !== null) {
    const order = local === null ? 1 : remote === null ? -1 : compareKeys(local.key, remote.key);
    const first = order <= 0 ? local : null;
    const second = order >= 0 ? remote : null;
    yield { key: (first ?? second)?.key ?? '', local: first, remote: second };
    if (first !== null) local = nextOf(left);
    if (second !== null) remote = nextOf(right);
  }
}

function nextOf<T>(iterator: Iterator<T>): T | null {
  const step = iterator.next();
  return step.done === true ? null : step.value;
}
