import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { assertNever } from '../../../shared/assert-never.ts';
import type { HashAnswer, HashTask, PieceTask, ThreadTask } from './hash-messages.ts';
import { startChecksum } from './checksums.ts';
import { unpackFiles } from './packed-files.ts';
import { endPiece, storeBlock } from './piece-blocks.ts';
import { nameAll, placeAll, readWhole, writeAll } from './small-files.ts';

/** A thread that hashes slices of files, and reads and writes small ones. Calls are synchronous: nothing else runs here. */
const port = parentPort;
if (port === null) throw new Error('hash-worker runs as a worker thread only.');

/** Small enough to stay in the processor's cache between the read and the hash. */
const blockBytes = 256 * 1024;
const progressBytes = 4 * 1024 * 1024;
/** Made with the first slice that is not kept. */
let ownBlock: Buffer | null = null;
const data: unknown = workerData;
const cancelled = data instanceof Int32Array ? data : new Int32Array(1);

const answer = (message: HashAnswer): void => port.postMessage(message);

port.on('message', (task: ThreadTask | PieceTask) => {
  try {
    const done = perform(task);
    port.postMessage(done, handedOver(done));
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
    answer({
      id: task.id,
      kind: 'failed',
      code,
      message: thrown instanceof Error ? thrown.message : String(thrown),
    });
  }
});

/** Bytes go over as they are, not as a copy. */
function handedOver(done: HashAnswer): ArrayBuffer[] {
  if (done.kind === 'read' && done.file.content !== null) return [done.file.content.bytes.buffer];
  return done.kind === 'stored' ? [done.memory] : [];
}

function perform(task: ThreadTask | PieceTask): HashAnswer {
  switch (task.kind) {
    case 'hash':
      return hashSlice(task);
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

function own(): Buffer {
  ownBlock ??= Buffer.allocUnsafeSlow(blockBytes);
  return ownBlock;
}

function hashSlice(task: HashTask): HashAnswer {
  const md5 = createHash('md5');
  const checksum = task.algorithm === null ? null : startChecksum(task.algorithm);
  const file = openSync(task.path, 'r');
  try {
    let done = 0;
    let told = 0;
    while (done < task.sizeBytes) {
      if (Atomics.load(cancelled, 0) === task.id) return { id: task.id, kind: 'cancelled' };
      const wanted = Math.min(blockBytes, task.sizeBytes - done);
      const target = task.into === undefined ? own() : Buffer.from(task.into, done, wanted);
      const read = readSync(file, target, 0, wanted, task.offset + done);
      if (read === 0) return { id: task.id, kind: 'failed', code: 'SHORT', message: 'The file ended early.' };
      const bytes = target.subarray(0, read);
      md5.update(bytes);
      checksum?.update(bytes);
      done += read;
      if (done - told >= progressBytes || done === task.sizeBytes) {
        answer({ id: task.id, kind: 'progress', bytes: done - told });
        told = done;
      }
    }
    return { id: task.id, kind: 'done', md5: md5.digest('hex'), checksum: checksum?.digest() ?? null };
  } finally {
    closeSync(file);
  }
}
