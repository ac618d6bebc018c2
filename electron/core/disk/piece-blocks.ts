import { createHash, type Hash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { BlockTask } from './hash-messages.ts';

interface Piece {
  readonly md5s: string[];
  hash: Hash;
  hashedBytes: number;
}

/**
 * The number of bytes per write call. The system allocates file memory in units of a write, and virtual machines provide large
 * units slowly. Writing a gigabyte took 2 to 4 s of system time in units of 512 KiB, but 0.5 s in units of 32 KiB.
 */
const writeBytes = 32 * 1024;

/** The pieces that this thread is receiving, by id. */
const pieces = new Map<number, Piece>();

/** Writes a block at its position, then hashes it while it is still in the CPU cache. */
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
