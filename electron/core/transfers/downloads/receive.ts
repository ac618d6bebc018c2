import type { Blocks } from '../items/blocks.ts';
import type { JobSettings } from '../../../../shared/models/jobs.ts';
import { lengthDiffers } from '../../s3/model/object-proof.ts';
import type { GetObjectOutput } from '../../s3/model/object-types.ts';
import { memoryOf } from '../../s3/http/response-body.ts';
import type { PieceSink } from '../../disk/piece-sink.ts';
import type { BandwidthLimiter } from '../../flow/limits.ts';
import { localFileFailure } from '../../disk/disk-failure.ts';

export interface ReceivingContext {
  readonly deps: { readonly settings: () => Pick<JobSettings, 'bandwidthBytesPerSecond'> };
  readonly limiter: Pick<BandwidthLimiter, 'take'>;
  readonly signal: AbortSignal;
}

export interface Receiving {
  readonly sink: PieceSink;
  readonly blocks: Blocks;
  /** The offset in the file at which the first byte is written. */
  readonly position: number;
  /** The expected number of bytes; null if it is unknown. */
  readonly sizeBytes: number | null;
  readonly onBytes: (bytes: number) => void;
  /** Called at the end, even after an error of the service, with the number of bytes written after `position`. */
  readonly onKept?: (bytes: number) => void;
}

/**
 * Writes a response body to the file at its position. When the promise settles, no write is pending, even after an error. Throws
 * the error of the disk or the body, and `AppError('damaged')` if the length is not `sizeBytes`.
 */
export async function receive(
  context: ReceivingContext,
  reply: Pick<GetObjectOutput, 'read'>,
  { sink, blocks, position, sizeBytes, onBytes, onKept }: Receiving,
): Promise<readonly string[]> {
  let block: Uint8Array<ArrayBuffer> | null = null;
  let filled = 0;
  let passed = 0;
  let sent = 0;
  let isOver = false;
  let broken: Error | null = null;
  let md5s: readonly string[] = [];
  const writes: Promise<void>[] = [];

  const flush = (): void => {
    if (block === null) return;
    const full = block;
    block = null;
    writes.push(
      sink.write(full.subarray(0, filled), position + sent).then(
        (memory) => blocks.give(memory),
        (thrown: unknown) => {
          broken ??= localFileFailure(thrown);
          blocks.give(null);
        },
      ),
    );
    sent += filled;
    filled = 0;
    onBytes(passed);
  };
  const store = (chunk: Uint8Array, from: number): void | Promise<void> => {
    for (let at = from; at < chunk.byteLength;) {
      if (broken !== null) throw broken;
      if (block === null) {
        const next = blocks.take();
        if (next instanceof Promise) {
          return storeInto(next, chunk, at);
        }
        block = next;
      }
      const count = Math.min(chunk.byteLength - at, block.byteLength - filled);
      block.set(count === chunk.byteLength ? chunk : chunk.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled === block.byteLength) flush();
    }
    release(chunk);
    return undefined;
  };
  const storeInto = async (
    next: Promise<Uint8Array<ArrayBuffer>>,
    chunk: Uint8Array,
    at: number,
  ): Promise<void> => {
    const given = await next;
    if (isOver) {
      blocks.give(given.buffer);
      return;
    }
    block = given;
    await store(chunk, at);
  };
  try {
    await reply.read((chunk) => {
      passed += chunk.byteLength;
      if (sizeBytes !== null && passed > sizeBytes) throw lengthDiffers(sizeBytes, passed);
      if (context.deps.settings().bandwidthBytesPerSecond === null) return store(chunk, 0);
      return context.limiter
        .take(chunk.byteLength, context.signal)
        .then(() => (isOver ? undefined : store(chunk, 0)));
    });
    if (sizeBytes !== null && passed !== sizeBytes) throw lengthDiffers(sizeBytes, passed);
    flush();
  } finally {
    isOver = true;
    // Also writes the bytes received before the failure, so that the next attempt resumes after them.
    if (broken === null && onKept !== undefined && !context.signal.aborted && filled > 0) flush();
    const left = block as Uint8Array<ArrayBuffer> | null;
    if (left !== null) blocks.give(left.buffer);
    await Promise.all(writes);
    md5s = await sink.end().catch((thrown: unknown) => {
      broken ??= localFileFailure(thrown);
      return [];
    });
    if ((broken as Error | null) === null) onKept?.(sent);
  }
  // Assigned in callbacks, so TypeScript cannot narrow it.
  const failed = broken as Error | null;
  if (failed !== null) throw failed;
  return md5s;
}

/**
 * Detaches the memory of a copied chunk. Left to the GC, freeing the chunks of a gigabyte costs more than their
 * transfer: V8 starts a full collection for every few dozen megabytes of external memory. Deferred to a microtask so
 * that the socket code is done with the chunk. Skips chunks that share their buffer: undici resumes with an empty
 * buffer that all its connections share.
 */
function release(chunk: Uint8Array): void {
  const memory = memoryOf(chunk);
  if (memory?.byteLength === chunk.byteLength)
    queueMicrotask(() => {
      memory.transfer(0);
    });
}
