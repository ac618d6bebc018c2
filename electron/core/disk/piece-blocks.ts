import { createHash, type Hash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { BlockTask } from './hash-messages.ts';

interface Piece {
  readonly md5s: string[];
  hash: Hash;
  hashedBytes: number;
}

/**
 * As much as goes to the system at once. It takes its memory for a file in blocks of the size of a write, and large ones
 * come slowly where the computer is a virtual one: a gigabyte written in 512 KiB cost 2 to 4 s of its time, in 32 KiB 0.5 s.
 */
const writeBytes = 32 * 1024;

/** The state that a thread keeps of the pieces it receives. */
const pieces = new Map<number, Piece>();

/** Writes a block where it belongs, then hashes it while it is still in the processor's cache. */
export function storeBlock({ piece: id, fd, bytes, position, partBytes }: BlockTask): void {
  for (let written = 0; written < bytes.byteLength;) {
    const count = Math.min(writeBytes, bytes.byteLength - written);
    written += writeSync(fd, bytes, written, count, position + written);
  }
  if (partBytes === null) return;
  const piece = pieces.get(id) ?? { md5s: [], hash: createHash('md5'), hashedBytes: 0 };
  pieces.set(id, piece);
  for (let start = 0; start < bytes.byteLength;) {
    const end = Math.min(bytes.byteLength, start + partBytes - piece.hashedBytes);
    piece.hash.update(bytes.subarray(start, end));
    piece.hashedBytes += end - start;
    start = end;
    if (piece.hashedBytes === partBytes) finishPart(piece);
  }
}

/** The MD5s of the parts of a piece; the last may be shorter. */
export function endPiece(id: number): readonly string[] {
  const piece = pieces.get(id);
  if (piece === undefined) return [];
  pieces.delete(id);
  if (piece.hashedBytes > 0) finishPart(piece);
  return piece.md5s;
}

function finishPart(piece: Piece): void {
  piece.md5s.push(piece.hash.digest('hex'));
  piece.hash = createHash('md5');
  piece.hashedBytes = 0;
}
