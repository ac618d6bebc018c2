import type { FileHandle } from 'node:fs/promises';
import {
  presentBytes,
  type PieceBits,
  countOf,
  pieceSizeBytes,
  reachedBytes,
  has,
  encode,
  decode,
} from '../items/piece-bits.ts';
import { isResponseOf, type RequestedObject } from '../../s3/model/object-proof.ts';
import { sameEtag, strongEtag } from '../../s3/model/etag.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { forEachScheduled } from '../../flow/part-scheduler.ts';
import { getObject, requireLength } from './download-requests.ts';
import { throwLocalFileFailure } from '../../disk/disk-failure.ts';
import { saveItem, type ItemContext } from '../items/item-context.ts';
import type { PartHashes } from './part-hashes.ts';
import { receive } from './receive.ts';
import type { DownloadItem } from '../items/transfer-item.ts';

/**
 * Pieces are flushed to disk and stored as complete each time this many bytes have arrived. After a crash, at most this much is
 * downloaded again.
 */
const noteAfterBytes = 64 * 1024 * 1024;
/**
 * The file is flushed to disk each time this many bytes have arrived, so that a full page cache does not delay the end of the
 * download.
 */
const syncAfterBytes = 16 * 1024 * 1024;
const maxPieces = 10_000;

/** The properties of the object before its content is fetched. */
type PiecesOf = Pick<PieceBits, 'etag' | 'sizeBytes' | 'lastModified'>;

/**
 * Divides an object into pieces. If the size of its upload parts is suitable, each piece holds whole parts. Each part can then be
 * hashed as soon as its piece is complete.
 */
export function planPieces(
  { etag, sizeBytes, lastModified }: PiecesOf,
  usualBytes: number,
  partBytes: number,
): PieceBits {
  const minPieceBytes = Math.max(usualBytes, Math.ceil(sizeBytes / maxPieces));
  const isSuitable = partBytes > 0 && partBytes <= 4 * minPieceBytes;
  const pieceBytes = isSuitable
    ? Math.max(1, Math.round(minPieceBytes / partBytes)) * partBytes
    : minPieceBytes;
  const bits = new Uint8Array(Math.ceil(Math.ceil(sizeBytes / pieceBytes) / 8));
  return { etag, sizeBytes, lastModified, pieceBytes, present: encode(bits), reached: {} };
}

/** Returns the properties that the object must still have when a piece is fetched. */
export function expectedObjectOf({ etag, sizeBytes, lastModified }: PieceBits): RequestedObject {
  return { etag, sizeBytes, lastModified };
}

/** Returns true if the stored pieces belong to this object. With a weak ETag, Last-Modified must match too. */
export function arePiecesOf(pieces: PieceBits, head: ObjectHead): boolean {
  if (!sameEtag(pieces.etag, head.etag) || pieces.sizeBytes !== head.sizeBytes) return false;
  const isStrong = strongEtag(pieces.etag) !== null && strongEtag(head.etag) !== null;
  return isStrong || (pieces.lastModified !== null && isResponseOf(expectedObjectOf(pieces), head));
}

/** Downloads the missing pieces, several in parallel, all from the object with the given ETag. */
export async function fetchPieces(
  context: ItemContext,
  item: DownloadItem,
  pieces: PieceBits,
  handle: FileHandle,
  hashes: PartHashes | null,
): Promise<DownloadItem> {
  const bits = decode(pieces.present);
  const missing: number[] = [];
  for (let index = 0; index < countOf(pieces); index += 1) {
    if (has(bits, index)) hashes?.arrived(index * pieces.pieceBytes, pieceSizeBytes(pieces, index));
    else missing.push(index);
  }
  /** The bytes of incomplete pieces that were flushed to disk before this attempt. */
  const flushed = new Map(missing.map((index) => [index, reachedBytes(pieces, index)]));
  /** The bytes of incomplete pieces that are written, but may not be flushed to disk yet. */
  const written = new Map(flushed);
  let savedItem = item;
  let doneBytes = presentBytes(pieces);
  const inFlight = new Map<number, number>();
  const reportProgress = (): void =>
    context.onBytes(doneBytes + [...inFlight.values()].reduce((sum, bytes) => sum + bytes, 0));
  const piecesWith = (reached: ReadonlyMap<number, number>): PieceBits => ({
    ...pieces,
    present: encode(bits),
    reached: Object.fromEntries(
      [...reached].filter(
        ([index, bytes]) => !has(bits, index) && bytes > 0 && bytes < pieceSizeBytes(pieces, index),
      ),
    ),
  });
  const flusher = new PieceFlusher(handle, (indices) => {
    for (const index of indices) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    savedItem = saveItem(context, { ...savedItem, tries: 0, pieces: piecesWith(flushed) });
  });
  const work = { scheduler: context.scheduler, order: item.seq, signal: context.signal };
  try {
    await forEachScheduled(missing, work, async (index) => {
      const from = flushed.get(index) ?? 0;
      await fetchPiece(context, item, pieces, index, {
        handle,
        from,
        onBytes: (bytes) => {
          inFlight.set(index, bytes);
          reportProgress();
        },
        onWritten: (bytes) => written.set(index, from + bytes),
      }).finally(() => inFlight.delete(index));
      doneBytes += pieceSizeBytes(pieces, index) - from;
      hashes?.arrived(index * pieces.pieceBytes, pieceSizeBytes(pieces, index));
      flusher.add(index, pieceSizeBytes(pieces, index));
    });
  } catch (thrown) {
    // Stores the received bytes for the next attempt. If the program is ending, they are downloaded again instead.
    await flusher.finish(!context.signal.aborted);
    const latestPieces = piecesWith(written);
    if (context.signal.aborted || presentBytes(latestPieces) <= presentBytes(savedItem.pieces ?? pieces))
      throw thrown;
    await handle.datasync().catch(throwLocalFileFailure);
    saveItem(context, { ...savedItem, tries: 0, pieces: latestPieces });
    throw thrown;
  }
  await flusher.finish(true);
  return savedItem;
}

/** Flushes completed pieces to disk in the background, and then stores that they are complete. */
class PieceFlusher {
  readonly #handle: FileHandle;
  readonly #note: (indices: readonly number[]) => void;
  #fresh: number[] = [];
  #freshBytes = 0;
  #synced: number[] = [];
  #syncedBytes = 0;
  #running: Promise<void> | null = null;
  #broken: unknown = null;

  constructor(handle: FileHandle, note: (indices: readonly number[]) => void) {
    this.#handle = handle;
    this.#note = note;
  }

  /** Adds a completed piece. Throws the error of an earlier flush, if there was one. */
  add(index: number, sizeBytes: number): void {
    if (this.#broken !== null) throw this.#broken;
    this.#fresh.push(index);
    this.#freshBytes += sizeBytes;
    if (this.#freshBytes >= syncAfterBytes) this.#running ??= this.#run(noteAfterBytes);
  }

  /** Waits for a running flush and, if `flushesRest`, flushes the remaining pieces. Throws the first error of a flush. */
  async finish(flushesRest: boolean): Promise<void> {
    await this.#running;
    if (flushesRest && this.#broken === null) await this.#run(1);
    if (this.#broken !== null) throw this.#broken;
  }

  async #run(noteFromBytes: number): Promise<void> {
    try {
      const syncing = this.#fresh;
      const bytes = this.#freshBytes;
      this.#fresh = [];
      this.#freshBytes = 0;
      if (syncing.length > 0) await this.#handle.datasync().catch(throwLocalFileFailure);
      this.#synced.push(...syncing);
      this.#syncedBytes += bytes;
      if (this.#syncedBytes < noteFromBytes) return;
      const noted = this.#synced;
      this.#synced = [];
      this.#syncedBytes = 0;
      this.#note(noted);
    } catch (thrown) {
      this.#broken = thrown;
    } finally {
      this.#running = null;
    }
  }
}

interface PieceTarget {
  readonly handle: FileHandle;
  /** The number of bytes of the piece that are already in the file. */
  readonly from: number;
  readonly onBytes: (bytes: number) => void;
  readonly onWritten: (bytes: number) => void;
}

async function fetchPiece(
  context: ItemContext,
  item: DownloadItem,
  pieces: PieceBits,
  index: number,
  { handle, from, onBytes, onWritten }: PieceTarget,
): Promise<void> {
  const position = index * pieces.pieceBytes + from;
  const sizeBytes = pieceSizeBytes(pieces, index) - from;
  const range = { firstByte: position, lastByte: position + sizeBytes - 1 };
  const { deps, blocks } = context;
  const response = await getObject(context, item, { range }, expectedObjectOf(pieces));
  requireLength(response, pieces.sizeBytes);
  const sink = deps.files.openPiece(deps.hasher, { fd: handle.fd, partBytes: null });
  await receive(context, response, { sink, blocks, position, sizeBytes, onBytes, onWritten });
}
