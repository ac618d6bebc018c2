import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { utimes, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { failure, toAppError } from '../../../shared/errors.ts';
import type { ConflictPolicy, Side } from '../../../shared/models/transfers.ts';
import type { ObjectHead, GetObjectOutput } from '../s3/types.ts';
import { isSameMoment } from '../sync/rules.ts';
import { md5InEtag } from '../uploads/etag.ts';
import { logged } from '../uploads/look.ts';
import { KnownFolders, type KnownFolder } from './folders.ts';
import { asks, localFailure, objectOf, saveItem, settled, type ItemContext } from './item-context.ts';
import { ensureFolder, look, placeNew, placeOver, removeFile, type MadeFolder } from './local-files.ts';
import { mtimeName, secondsOfMtime } from './mtime.ts';
import { numberedName } from './names.ts';
import { PartHashes } from './part-hashes.ts';
import { fetchPieces, planPieces } from './pieces.ts';
import { Blocks, receive } from './receive.ts';
import type { Item, TransferJob } from './transfer-job.ts';
import { fitsEtag, tellsMd5 } from './verify-file.ts';

const maxRestarts = 3;
/** Up to here an object is held in memory until it is whole, and written in one go. */
const smallBytes = 1024 * 1024;
const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';
/** Of each run of a job. */
const knownFolders = new WeakMap<TransferJob, KnownFolders>();

/** What is known of an object that has come. */
interface Came {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly seconds: number | null;
  readonly verified: boolean | null;
  /** A small one, which is not on disk yet. */
  readonly bytes: Uint8Array | null;
}

/** Fetches one object. What comes back is what became of the item; it is not written yet. */
export async function downloadItem(context: ItemContext, item: Item): Promise<Item> {
  try {
    return await fetchInto(context, item);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.reason === 'precondition-failed') return await startAgain(context, item);
    throw localFailure(thrown);
  }
}

/** The half file of an item lies beside its target, under a name of its own. */
export function partPathOf(jobId: string, folder: string, item: Pick<Item, 'seq' | 'local'>): string {
  const target = path.join(folder, ...item.local.split('/'));
  return path.join(path.dirname(target), `.cooper-${jobId.slice(0, 13)}-${item.seq}.part`);
}

function folderOf(context: ItemContext): string {
  if (context.job.folder === null) throw failure('internal', 'A download without a folder.');
  return context.job.folder;
}

async function fetchInto(context: ItemContext, item: Item): Promise<Item> {
  const root = folderOf(context);
  const segments = item.local.split('/');
  if (item.kind === 'folder') {
    await ensureFolder(root, segments);
    return settled(item, { state: 'done' });
  }
  const parent = await parentOf(context, root, segments.slice(0, -1));
  const part = partPathOf(context.job.id, root, item);
  if (await isPlaced(item, path.join(root, ...segments))) {
    await removeFile(part);
    return settled(item, { state: 'done', verified: item.verified });
  }
  const decided = mayLieFree(context, item, parent) ? item : await decideTarget(context, item, root);
  if (decided.state !== 'todo') {
    if (decided.state !== 'asking') await removeFile(part);
    return decided.state === 'asking' ? { ...decided, sync: null } : decided;
  }
  const { item: fetched, came } = await fetchObject(context, decided, part);
  return await place(context, fetched, came, part, parent.path);
}

/**
 * In a folder that this run has made nothing is expected, and a look at each of thousands of names is spared: what has come
 * there all the same keeps its name when the file is placed. Where the policy would let it be replaced, it is looked for.
 */
function mayLieFree(context: ItemContext, item: Item, parent: KnownFolder): boolean {
  return parent.isOwn && item.tries === 0 && item.sync === null && policyOf(context, item) !== 'overwrite';
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

function policyOf(context: ItemContext, item: Item): ConflictPolicy {
  return item.decision ?? context.job.onConflict;
}

/** The name was given before the program ended: the very file that was on its way is there. */
async function isPlaced(item: Item, target: string): Promise<boolean> {
  if (item.placing === null) return false;
  const found = await look(target);
  return (
    found !== null &&
    found.isFile() &&
    String(found.ino) === item.placing.inode &&
    Number(found.size) === item.placing.sizeBytes
  );
}

/** What stands at the target decides, with the user's policy, whether anything is fetched. */
async function decideTarget(context: ItemContext, item: Item, root: string): Promise<Item> {
  const target = path.join(root, ...item.local.split('/'));
  const found = await look(target);
  if (found === null) return item;
  if (found.isFile() && (await isSame(context, item, target, Number(found.size), found.mtimeNs))) {
    if (item.sync !== null) await agreeOnTime(context, item, target);
    return settled(item, { state: 'done', note: item.note ?? 'same', verified: true });
  }
  // The user has agreed to replace what the plan saw, and nothing else.
  if (isAsPlanned(item, found)) return { ...item, decision: 'overwrite' };
  const policy = policyOf(context, item);
  switch (policy) {
    case 'overwrite':
      if (found.isDirectory())
        throw failure('storage', 'A folder lies where the file should be. Cooper does not replace it.', {
          reason: 'in-the-way',
          retry: 'after-fix',
        });
      return item;
    case 'skip':
      return settled(item, { state: 'skipped' });
    case 'rename':
      return await renamed(context, item, root);
    case 'ask': {
      const modifiedAt = new Date(Number(found.mtimeMs)).toISOString();
      return asks(item, sideOf(item), { sizeBytes: Number(found.size), modifiedAt, etag: null });
    }
    default:
      return policy satisfies never;
  }
}

function isAsPlanned({ sync }: Item, found: BigIntStats): boolean {
  const planned = sync?.target ?? null;
  if (planned === null || planned.modifiedAt === null || !found.isFile()) return false;
  const isSameTime = isSameMoment(Number(found.mtimeNs) / 1e6, Date.parse(planned.modifiedAt));
  return isSameTime && Number(found.size) === planned.sizeBytes;
}

/** The bytes are the same already; by the object's time the next plan sees it too. */
async function agreeOnTime(context: ItemContext, item: Item, target: string): Promise<void> {
  const head = await headOf(context, item);
  const seconds = secondsIn(head);
  if (seconds !== null) await utimes(target, seconds, seconds);
}

function sideOf(item: Item): Side {
  return { sizeBytes: item.sizeBytes, modifiedAt: item.modifiedAt, etag: item.etag };
}

async function renamed(context: ItemContext, item: Item, root: string): Promise<Item> {
  for (let number = 2; number < 10_000; number += 1) {
    const local = numberedName(item.local, number);
    if ((await look(path.join(root, ...local.split('/')))) === null)
      return saveItem(context, { ...item, local, note: 'renamed' });
  }
  throw failure('conflict', 'No free name was found.', { reason: 'name-taken', retry: 'after-fix' });
}

/** By MD5 where the ETag is one; else by size and time, as they are set here. */
async function isSame(
  context: ItemContext,
  item: Item,
  target: string,
  sizeBytes: number,
  mtimeNs: bigint,
): Promise<boolean> {
  if (item.etag === null || item.sizeBytes !== sizeBytes) return false;
  if (md5InEtag(item.etag) !== null) {
    const fits = await fitsEtag(context.deps.hasher, target, sizeBytes, item.etag, context.signal);
    if (fits === true) return true;
  }
  // Encryption makes ETags that only look like MD5. The time tells too, but only together with the object's own.
  const head = await headOf(context, item);
  if (tellsMd5(head.headers) && md5InEtag(item.etag) !== null) return false;
  const seconds = secondsOfMtime(head.metadata[mtimeName]);
  return head.etag === item.etag && seconds !== null && Math.abs(Number(mtimeNs) / 1e9 - seconds) < 0.001;
}

async function fetchObject(
  context: ItemContext,
  item: Item,
  part: string,
): Promise<{ readonly item: Item; readonly came: Came }> {
  const { deps } = context;
  if (item.sizeBytes !== null && item.sizeBytes <= deps.pieceBytes && item.pieces === null) {
    const isSmall = item.sizeBytes <= smallBytes;
    return { item, came: await (isSmall ? fetchSmall(context, item) : fetchWhole(context, item, part)) };
  }
  return await fetchLarge(context, item, part);
}

async function getObject(context: ItemContext, item: Item): Promise<GetObjectOutput> {
  const { client, job, signal } = context;
  const condition = item.etag === null ? {} : { ifMatch: item.etag };
  return await logged(
    context.log,
    'get-object',
    () => client.getObject({ ...objectOf(job, item), ...condition }, { signal }),
    () => item.key,
  );
}

async function headOf(context: ItemContext, item: Item): Promise<ObjectHead> {
  const { client, job, signal, smallTurns } = context;
  return await smallTurns.run(item.seq, signal, () => client.headObject(objectOf(job, item), { signal }));
}

/** Nothing touches the disk before all of it has come. */
async function fetchSmall(context: ItemContext, item: Item): Promise<Came> {
  const { smallTurns, signal } = context;
  const { answer, chunks, passed } = await smallTurns.run(item.seq, signal, () => readSmall(context, item));
  // A copy of its own size: what comes from a socket is a view of something larger, which would go to the thread whole.
  const bytes = new Uint8Array(passed);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  const verified = verdictOn(answer, () => hash('md5', bytes));
  if (passed !== answer.sizeBytes || verified === false) throw damaged();
  return { sizeBytes: passed, etag: answer.etag, seconds: secondsIn(answer), verified, bytes };
}

async function readSmall(
  context: ItemContext,
  item: Item,
): Promise<{
  readonly answer: GetObjectOutput;
  readonly chunks: readonly Uint8Array[];
  readonly passed: number;
}> {
  const answer = await getObject(context, item);
  const chunks: Uint8Array[] = [];
  let passed = 0;
  await answer.read((chunk) => {
    chunks.push(chunk);
    passed += chunk.byteLength;
    // Without an ETag it may be another object by now, of any size.
    if (passed > smallBytes) throw damaged();
    if (context.deps.settings().bandwidthBytesPerSecond === null) return undefined;
    context.onBytes(passed);
    return context.limiter.take(chunk.byteLength, context.signal);
  });
  return { answer, chunks, passed };
}

function verdictOn(answer: ObjectHead, computed: () => string | undefined): boolean | null {
  const md5 = answer.etag !== null && tellsMd5(answer.headers) ? md5InEtag(answer.etag) : null;
  return md5 === null ? null : computed() === md5;
}

/** One GET, hashed on its way. */
async function fetchWhole(context: ItemContext, item: Item, part: string): Promise<Came> {
  const handle = await context.deps.files.openPart(part);
  let isWhole = false;
  try {
    await handle.truncate(0);
    const { smallTurns, signal } = context;
    const { answer, md5s } = await smallTurns.run(item.seq, signal, () => readWhole(context, item, handle));
    const { sizeBytes } = answer;
    const verified = verdictOn(answer, () => md5s[0] ?? emptyMd5);
    if (verified === false) throw damaged();
    await dress(handle, answer);
    isWhole = true;
    return { sizeBytes, etag: answer.etag, seconds: secondsIn(answer), verified, bytes: null };
  } finally {
    await handle.close();
    if (!isWhole) await removeFile(part);
  }
}

async function readWhole(
  context: ItemContext,
  item: Item,
  handle: FileHandle,
): Promise<{ readonly answer: GetObjectOutput; readonly md5s: readonly string[] }> {
  const answer = await getObject(context, item);
  const { sizeBytes } = answer;
  const { deps, onBytes } = context;
  const md5s = await receive(context, answer, {
    sink: deps.files.openPiece(deps.hasher, { fd: handle.fd, partBytes: Math.max(1, sizeBytes) }),
    blocks: new Blocks(1, sizeBytes),
    position: 0,
    sizeBytes,
    onBytes,
  });
  return { answer, md5s };
}

async function fetchLarge(
  context: ItemContext,
  item: Item,
  part: string,
): Promise<{ readonly item: Item; readonly came: Came }> {
  const { signal, deps } = context;
  const head = await logged(
    context.log,
    'head-object',
    () => headOf(context, item),
    () => item.key,
  );
  const { etag, sizeBytes } = head;
  if (etag === null) {
    if (sizeBytes > deps.pieceBytes)
      throw failure('protocol', 'The service names no ETag for this object.', {
        reason: 'unexpected-answer',
      });
    return {
      item: { ...item, sizeBytes },
      came: await fetchWhole(context, { ...item, sizeBytes, etag: null }, part),
    };
  }
  if (sizeBytes <= deps.pieceBytes) {
    const known = { ...item, sizeBytes, etag, pieces: null };
    return { item: known, came: await fetchWhole(context, known, part) };
  }
  const kept = item.pieces !== null && item.pieces.etag === etag && item.pieces.sizeBytes === sizeBytes;
  const there = kept ? await look(part) : null;
  const hashes = tellsMd5(head.headers) ? new PartHashes(deps.hasher, part, sizeBytes, etag, signal) : null;
  const pieces =
    kept && there !== null && item.pieces !== null
      ? item.pieces
      : planPieces(etag, sizeBytes, deps.pieceBytes, hashes?.partBytes ?? 0);
  const begun = saveItem(context, { ...item, sizeBytes, etag, pieces });
  const handle = await deps.files.openPart(part);
  try {
    const fetched = await fetchPieces(context, begun, pieces, handle, hashes);
    await handle.truncate(sizeBytes);
    const [verified] = await Promise.all([hashes?.verdict() ?? null, dress(handle, head)]);
    if (verified === false) {
      saveItem(context, { ...fetched, pieces: null });
      await removeFile(part);
      throw damaged();
    }
    return { item: fetched, came: { sizeBytes, etag, seconds: secondsIn(head), verified, bytes: null } };
  } finally {
    await handle.close();
  }
}

/** The time of the file, as it travels in the metadata, else of the object. */
function secondsIn(head: ObjectHead): number | null {
  const own = secondsOfMtime(head.metadata[mtimeName]);
  if (own !== null) return own;
  const ms = head.lastModified === null ? Number.NaN : Date.parse(head.lastModified);
  return Number.isNaN(ms) ? null : ms / 1000;
}

async function dress(handle: FileHandle, head: ObjectHead): Promise<void> {
  const seconds = secondsIn(head);
  try {
    if (seconds !== null) await handle.utimes(seconds, seconds);
    await handle.sync();
  } catch (thrown) {
    throw localFailure(thrown);
  }
}

/** The finished file gets its name, and no other file loses its own. */
async function place(
  context: ItemContext,
  item: Item,
  came: Came,
  part: string,
  parent: string,
): Promise<Item> {
  const target = path.join(folderOf(context), ...item.local.split('/'));
  const mayReplace = policyOf(context, item) === 'overwrite';
  let known: Item = { ...item, sizeBytes: came.sizeBytes, etag: came.etag, verified: came.verified };
  // A large file is not fetched twice: what is about to get its name is noted first.
  if (item.pieces !== null) {
    const made = await look(part);
    if (made !== null)
      known = saveItem(context, {
        ...known,
        placing: { inode: String(made.ino), sizeBytes: came.sizeBytes },
      });
  }
  context.signal.throwIfAborted();
  if (item.sync !== null && item.sync.target !== null) {
    const found = await look(target);
    if (found !== null && !isAsPlanned(item, found)) {
      // While it came, the file here was changed: that was not agreed to.
      const decided = await decideTarget(
        context,
        { ...known, decision: null, sync: null },
        folderOf(context),
      );
      if (decided.state === 'todo') return await place(context, decided, came, part, parent);
      if (decided.state !== 'asking' || decided.pieces === null) await removeFile(part);
      return decided;
    }
  }
  if (!(await giveName(context, came, part, target, mayReplace))) {
    // Somebody was quicker. What came is kept where it is large, and the user is asked as ever.
    const decided = await decideTarget(context, known, folderOf(context));
    if (decided.state === 'todo') return await place(context, decided, came, part, parent);
    if (decided.state !== 'asking' || decided.pieces === null) await removeFile(part);
    return decided;
  }
  // Small files wait for that together, before they count as done.
  if (came.bytes === null) await context.deps.folderSyncs.sync(parent);
  return settled(known, { state: 'done', verified: came.verified });
}

/** False: something has the name, and keeps it. */
async function giveName(
  context: ItemContext,
  came: Came,
  part: string,
  target: string,
  mayReplace: boolean,
): Promise<boolean> {
  const { files, hasher } = context.deps;
  const { bytes, seconds } = came;
  if (bytes !== null)
    return await files.placeSmall(hasher, { part, target, bytes, seconds, mayReplace }, context.signal);
  if (!mayReplace) return await placeNew(part, target);
  await placeOver(part, target);
  return true;
}

/** The object is another one now: what came of the old one is of no use. */
async function startAgain(context: ItemContext, item: Item): Promise<Item> {
  const now = context.items.get(context.job.id, item.seq) ?? item;
  await removeFile(partPathOf(context.job.id, folderOf(context), now));
  if (now.restarts >= maxRestarts)
    throw failure('conflict', 'The object keeps changing while it is read.', {
      reason: 'object-changed',
      retry: 'after-fix',
    });
  return { ...now, etag: null, sizeBytes: null, pieces: null, placing: null, restarts: now.restarts + 1 };
}

function damaged(): Error {
  return failure('network', 'What came is not what the service has: size or MD5 differ.', {
    reason: 'content-damaged',
    retry: 'backoff',
  });
}
