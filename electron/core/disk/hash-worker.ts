import { parentPort, workerData } from 'node:worker_threads';
import { createHash, type Hash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { assertNever } from '../../../shared/assert-never.ts';
import { fenceOfThread, type PrivateFolder } from './fence.ts';
import { fileFailure, hashSlice, hashTogether, type HashRun } from './hash-slices.ts';
import {
  unpackFiles,
  type HashResponse,
  type PieceTask,
  type ThreadTask,
  type BlockTask,
} from './hash-messages.ts';
import { nameAll, placeAll, readWhole, writeAll } from './small-files.ts';

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
function storeBlock({ piece: id, fd, bytes, position, partBytes }: BlockTask): void {
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
function endPiece(id: number): readonly string[] {
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

export interface HashThreadData {
  /** Contains the id of the task that the thread should drop. */
  readonly cancelled: Int32Array;
  /** The folders that transfers must not use. */
  readonly fenced: readonly PrivateFolder[];
}

/**
 * The port of this thread, which hashes slices of files and reads and writes small files. Calls are synchronous, because nothing
 * else runs in the thread.
 */
const port = parentPort;
if (port === null) throw new Error('hash-worker runs as a worker thread only.');

const { cancelled, fenced } = workerData as HashThreadData;
fenceOfThread(fenced);

const answer = (message: HashResponse): void => port.postMessage(message);
const run: HashRun = {
  tell: answer,
  isCancelled: (id) => Atomics.load(cancelled, 0) === id,
  nowMs: () => performance.now(),
};

port.on('message', (task: ThreadTask | PieceTask) => {
  try {
    const done = perform(task);
    port.postMessage(done, handedOver(done));
  } catch (thrown) {
    answer({ id: task.id, kind: 'failed', ...fileFailure(thrown) });
  }
});

/** Returns the buffers to transfer instead of copying them. */
function handedOver(done: HashResponse): ArrayBuffer[] {
  if (done.kind === 'read' && done.file.content !== null) return [done.file.content.bytes.buffer];
  return done.kind === 'stored' ? [done.memory] : [];
}

function perform(task: ThreadTask | PieceTask): HashResponse {
  switch (task.kind) {
    case 'hash':
      return hashSlice(task, run);
    case 'hash-together':
      return hashTogether(task, run);
    case 'read':
      return { id: task.id, kind: 'read', file: readWhole(task) };
    case 'place':
      return { id: task.id, kind: 'placed', files: placeAll(unpackFiles(task.packed)) };
    case 'write':
      return { id: task.id, kind: 'written', files: writeAll(unpackFiles(task.packed)) };
    case 'name':
      return { id: task.id, kind: 'placed', files: nameAll(task.files) };
    case 'block':
      storeBlock(task);
      return { id: task.id, kind: 'stored', memory: task.bytes.buffer };
    case 'end-piece':
      return { id: task.id, kind: 'piece', md5s: endPiece(task.piece) };
    default:
      return assertNever(task);
  }
}
