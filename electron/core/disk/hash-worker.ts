import { parentPort, workerData } from 'node:worker_threads';
import { assertNever } from '../../../shared/assert-never.ts';
import { fenceOfThread, type PrivateFolder } from './fence.ts';
import { fileFailure, hashSlice, hashTogether, type HashRun } from './hash-slices.ts';
import { unpackFiles, type HashAnswer, type PieceTask, type ThreadTask } from './hash-messages.ts';
import { endPiece, storeBlock } from './piece-blocks.ts';
import { nameAll, placeAll, readWhole, writeAll } from './small-files.ts';

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

const answer = (message: HashAnswer): void => port.postMessage(message);
const run: HashRun = { tell: answer, isCancelled: (id) => Atomics.load(cancelled, 0) === id };

port.on('message', (task: ThreadTask | PieceTask) => {
  try {
    const done = perform(task);
    port.postMessage(done, handedOver(done));
  } catch (thrown) {
    answer({ id: task.id, kind: 'failed', ...fileFailure(thrown) });
  }
});

/** Returns the buffers to transfer instead of copying them. */
function handedOver(done: HashAnswer): ArrayBuffer[] {
  if (done.kind === 'read' && done.file.content !== null) return [done.file.content.bytes.buffer];
  return done.kind === 'stored' ? [done.memory] : [];
}

function perform(task: ThreadTask | PieceTask): HashAnswer {
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
