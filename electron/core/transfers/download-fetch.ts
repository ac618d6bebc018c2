import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { failure } from '../../../shared/errors.ts';
import { etagHidesMd5 } from '../s3/encrypted-etag.ts';
import type { ObjectHead, GetObjectOutput } from '../s3/types.ts';
import { sameEtag } from '../uploads/etag.ts';
import { logged } from '../uploads/look.ts';
import { localFailure, objectOf, saveItem, type ItemContext } from './item-context.ts';
import { look, removeFile } from './local-files.ts';
import { mtimeName, secondsOfMtime } from './mtime.ts';
import { PartHashes } from './part-hashes.ts';
import { fetchPieces, planPieces } from './pieces.ts';
import { Blocks, receive } from './receive.ts';
import type { Item } from './transfer-job.ts';
import { damaged, verdictOn } from './verify-file.ts';

/** Up to here an object is held in memory until it is whole, and written in one go. */
const smallBytes = 1024 * 1024;
const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';

/** What is known of an object that has come. */
export interface Came {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly seconds: number | null;
  readonly verified: boolean | null;
  /** A small one, which is not on disk yet. */
  readonly bytes: Uint8Array | null;
}

/** The object is held in memory until its file has its name. */
function isHeld(item: Item, pieceBytes: number): boolean {
  return (
    item.sizeBytes !== null &&
    item.sizeBytes <= Math.min(smallBytes, pieceBytes) &&
    item.pieces === null &&
    // What a plan replaces is looked at once more right before: it does not wait for others in between.
    (item.sync?.target ?? null) === null
  );
}

/** Fetches what is missing of the object: into memory where it is small, else into the half file. */
export async function fetchObject(
  context: ItemContext,
  item: Item,
  part: string,
): Promise<{ readonly item: Item; readonly came: Came }> {
  const { deps } = context;
  if (isHeld(item, deps.pieceBytes)) return { item, came: await fetchSmall(context, item) };
  if (item.sizeBytes !== null && item.sizeBytes <= deps.pieceBytes && item.pieces === null)
    return { item, came: await fetchWhole(context, item, part) };
  return await fetchLarge(context, item, part);
}

async function getObject(context: ItemContext, item: Item): Promise<GetObjectOutput> {
  const { client, job, signal } = context;
  const condition = item.etag === null ? {} : { ifMatch: item.etag };
  const answer = await logged(
    context.log,
    'get-object',
    () => client.getObject({ ...objectOf(job, item), ...condition }, { signal }),
    () => item.key,
  );
  try {
    checkIsListed(item, answer);
  } catch (thrown) {
    answer.body.destroy();
    throw thrown;
  }
  return answer;
}

/** Some services pass over If-Match, and some proxies answer with what they have. */
function checkIsListed(item: Item, answer: ObjectHead): void {
  if (item.etag === null) return;
  if (answer.etag !== null && !sameEtag(item.etag, answer.etag))
    throw failure('conflict', 'The object changed.', { reason: 'precondition-failed', retry: 'backoff' });
  if (item.sizeBytes !== null && item.sizeBytes !== answer.sizeBytes) throw damaged();
}

export async function headOf(context: ItemContext, item: Item): Promise<ObjectHead> {
  const { client, job, signal } = context;
  return await client.headObject(objectOf(job, item), { signal });
}

/** Nothing touches the disk before all of it has come. */
async function fetchSmall(context: ItemContext, item: Item): Promise<Came> {
  const { answer, chunks, passed } = await readSmall(context, item);
  const [first = new Uint8Array(), ...others] = chunks;
  const bytes = others.length === 0 ? first : Buffer.concat(chunks, passed);
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

/** One GET, hashed on its way. */
async function fetchWhole(context: ItemContext, item: Item, part: string): Promise<Came> {
  const handle = await context.deps.files.openPart(part);
  let isWhole = false;
  try {
    await handle.truncate(0);
    const { fileTurns, signal } = context;
    const { answer, md5s } = await fileTurns.run(item.seq, signal, () => readWhole(context, item, handle));
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
  const hashes = etagHidesMd5(head.headers)
    ? null
    : new PartHashes(deps.hasher, part, sizeBytes, etag, signal);
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
export function secondsIn(head: ObjectHead): number | null {
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
