import type { FileHandle } from 'node:fs/promises';
import { failure } from '../../../shared/errors.ts';
import type { ObjectRef } from '../s3/types.ts';
import { forEachLimited } from '../uploads/limited.ts';
import { localFailure, objectOf, saveItem, type ItemContext } from './item-context.ts';
import type { Item } from './transfer-job.ts';

type Pieces = NonNullable<Item['pieces']>;

/** After so many bytes what is there is made safe and noted: a restart fetches no more than this again. */
const noteAfterBytes = 64 * 1024 * 1024;
const maxPieces = 10_000;
export const writeBytes = 1024 * 1024;

export function planPieces(etag: string, sizeBytes: number, usualBytes: number): Pieces {
  const pieceBytes = Math.max(usualBytes, Math.ceil(sizeBytes / maxPieces));
  const bits = new Uint8Array(Math.ceil(Math.ceil(sizeBytes / pieceBytes) / 8));
  return { etag, sizeBytes, pieceBytes, present: encode(bits) };
}

export function presentBytes(pieces: Pieces): number {
  const bits = decode(pieces.present);
  let bytes = 0;
  for (let index = 0; index < countOf(pieces); index += 1)
    if (has(bits, index)) bytes += sizeOf(pieces, index);
  return bytes;
}

/** Fetches the pieces that are missing, several at a time, all of the one object that the ETag names. */
export async function fetchPieces(
  context: ItemContext,
  item: Item,
  pieces: Pieces,
  handle: FileHandle,
  onArrived: (firstByte: number, sizeBytes: number) => void,
): Promise<Item> {
  const bits = decode(pieces.present);
  const missing: number[] = [];
  for (let index = 0; index < countOf(pieces); index += 1) {
    if (has(bits, index)) onArrived(index * pieces.pieceBytes, sizeOf(pieces, index));
    else missing.push(index);
  }
  let held = item;
  let fresh: number[] = [];
  let freshBytes = 0;
  let doneBytes = presentBytes(pieces);
  const inFlight = new Map<number, number>();
  const show = (): void =>
    context.onBytes(doneBytes + [...inFlight.values()].reduce((sum, bytes) => sum + bytes, 0));

  const note = async (): Promise<void> => {
    if (fresh.length === 0) return;
    const noted = fresh;
    fresh = [];
    freshBytes = 0;
    await handle.datasync().catch((thrown: unknown) => {
      throw localFailure(thrown);
    });
    for (const index of noted) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    held = saveItem(context, { ...held, tries: 0, pieces: { ...pieces, present: encode(bits) } });
  };
  try {
    await forEachLimited(missing, context.deps.settings().parallelParts, context.signal, async (index) => {
      await fetchPiece(context, objectOf(context.job, item), pieces, index, handle, (bytes) => {
        inFlight.set(index, bytes);
        show();
      }).finally(() => inFlight.delete(index));
      doneBytes += sizeOf(pieces, index);
      onArrived(index * pieces.pieceBytes, sizeOf(pieces, index));
      fresh.push(index);
      freshBytes += sizeOf(pieces, index);
      if (freshBytes >= noteAfterBytes) await note();
    });
  } catch (thrown) {
    // What came is kept for the next try, unless the program ends: then it is fetched again.
    if (!context.signal.aborted) await note();
    throw thrown;
  }
  await note();
  return held;
}

async function fetchPiece(
  context: ItemContext,
  object: ObjectRef,
  pieces: Pieces,
  index: number,
  handle: FileHandle,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const firstByte = index * pieces.pieceBytes;
  const sizeBytes = sizeOf(pieces, index);
  const range = { firstByte, lastByte: firstByte + sizeBytes - 1 };
  const { client, signal } = context;
  const answer = await client.getObject({ ...object, range, ifMatch: pieces.etag }, { signal });
  let passed = 0;
  let written = 0;
  let chunks: Uint8Array[] = [];
  const flush = async (): Promise<void> => {
    const together = chunks;
    chunks = [];
    await writeAll(handle, together, firstByte + written);
    written = passed;
    onBytes(passed);
  };
  for await (const chunk of answer.body) {
    const bytes: Uint8Array = chunk;
    passed += bytes.byteLength;
    if (passed > sizeBytes) throw tooMuch();
    await context.limiter.take(bytes.byteLength);
    chunks.push(bytes);
    if (passed - written >= writeBytes) await flush();
  }
  if (passed !== sizeBytes) throw tooMuch();
  await flush();
}

/** Writes what has come together: a call for each chunk of a socket would cost more than the bytes. */
export async function writeAll(
  handle: FileHandle,
  chunks: readonly Uint8Array[],
  position: number,
): Promise<void> {
  try {
    let left = [...chunks];
    let at = position;
    while (left.length > 0) {
      const { bytesWritten } = await handle.writev(left, at);
      at += bytesWritten;
      left = behind(left, bytesWritten);
    }
  } catch (thrown) {
    throw localFailure(thrown);
  }
}

function behind(chunks: readonly Uint8Array[], written: number): Uint8Array[] {
  const left: Uint8Array[] = [];
  let skip = written;
  for (const chunk of chunks) {
    if (skip < chunk.byteLength) left.push(skip === 0 ? chunk : chunk.subarray(skip));
    skip = Math.max(0, skip - chunk.byteLength);
  }
  return left;
}

function tooMuch(): Error {
  return failure('protocol', 'The service sent another number of bytes than was asked for.', {
    reason: 'unexpected-answer',
    retry: 'backoff',
  });
}

function countOf(pieces: Pieces): number {
  return Math.ceil(pieces.sizeBytes / pieces.pieceBytes);
}

function sizeOf(pieces: Pieces, index: number): number {
  return Math.min(pieces.pieceBytes, pieces.sizeBytes - index * pieces.pieceBytes);
}

function has(bits: Uint8Array, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

function encode(bits: Uint8Array): string {
  return Buffer.from(bits).toString('base64');
}

function decode(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
