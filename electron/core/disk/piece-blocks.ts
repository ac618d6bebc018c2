import { createHash, type Hash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { BlockTask } from './hash-messages.ts';

interface Piece {
  readonly md5s: string[];
  hash: Hash;
  hashedBytes: number;
}

/**
 * Bytes per write call. The system allocates file memory in blocks of the size of a write, and virtual machines provide large
 * ones slowly: a gigabyte written in 512 KiB cost 2 to 4 s of system time, in 32 KiB 0.5 s.
 */
const writeBytes = 32 * 1024;

/** The state of each piece that this thread receives. */
const pieces = new Map<number, Piece>();

/** Writes a block at its position, then hashes it while it is in the CPU cache. */
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

/** Returns the MD5s of the parts of a piece; the last part may be shorter. */
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
