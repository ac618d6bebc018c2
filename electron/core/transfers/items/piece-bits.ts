import type { DownloadItem, Item } from './transfer-item.ts';
import { assertNever } from '../../../../shared/assert-never.ts';

/** The progress of a download in pieces: a bit in Base64 for each piece on disk, and the bytes of incomplete pieces. */
export type PieceBits = NonNullable<DownloadItem['pieces']>;

export function presentBytes(pieces: PieceBits): number {
  const bits = decode(pieces.present);
  let bytes = 0;
  for (let index = 0; index < countOf(pieces); index += 1)
    bytes += has(bits, index) ? pieceSizeBytes(pieces, index) : reachedBytes(pieces, index);
  return bytes;
}

/**
 * Returns how many bytes of an incomplete piece are on disk. Earlier versions also stored the full size of pieces that were never
 * flushed to disk; these start at their first byte.
 */
export function reachedBytes(pieces: PieceBits, index: number): number {
  const bytes = pieces.reached[index] ?? 0;
  return bytes < pieceSizeBytes(pieces, index) ? bytes : 0;
}

export function isComplete(pieces: PieceBits): boolean {
  const bits = decode(pieces.present);
  for (let index = 0; index < countOf(pieces); index += 1) if (!has(bits, index)) return false;
  return true;
}

export function countOf(pieces: PieceBits): number {
  return Math.ceil(pieces.sizeBytes / pieces.pieceBytes);
}

export function pieceSizeBytes(pieces: PieceBits, index: number): number {
  return Math.min(pieces.pieceBytes, pieces.sizeBytes - index * pieces.pieceBytes);
}

export function has(bits: Uint8Array, index: number): boolean {
  return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

export function encode(bits: Uint8Array): string {
  return Buffer.from(bits).toString('base64');
}

export function decode(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/**
 * Returns how many bytes of an unsettled item are already stored, as parts on the service or pieces on disk; null if it has not
 * started. They count as progress while the item waits. Settled items are counted in the job itself.
 */
export function begunBytes(item: Item): number | null {
  switch (item.state) {
    case 'done':
    case 'skipped':
      return null;
    case 'todo':
    case 'held':
    case 'failed':
    case 'asking':
      return progressOf(item);
    default:
      return item.state satisfies never;
  }
}

function progressOf(item: Item): number | null {
  switch (item.work) {
    case 'upload':
      return item.upload?.progress.bytesDone ?? null;
    case 'download':
      return item.pieces === null ? null : presentBytes(item.pieces);
    case 'copy':
      return item.copy?.parts?.bytesDone ?? item.upload?.progress.bytesDone ?? null;
    case 'stalled':
      return item.upload?.kind === 'resume' ? item.upload.progress.bytesDone : null;
    case 'deletion':
      return null;
    default:
      return assertNever(item);
  }
}
