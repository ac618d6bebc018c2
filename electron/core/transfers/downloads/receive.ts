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
  readonly onWritten?: (bytes: number) => void;
}

/**
 * Writes a response body to the file at its position. When the promise settles, no write is pending, even after an error. Throws
 * the error of the disk or the body, and `AppError('damaged')` if the length is not `sizeBytes`.
 */
export async function receive(
  context: ReceivingContext,
  reply: Pick<GetObjectOutput, 'read'>,
  { sink, blocks, position, sizeBytes, onBytes, onWritten }: Receiving,
): Promise<readonly string[]> {
  let block: Uint8Array<ArrayBuffer> | null = null;
  let filledBytes = 0;
  let receivedBytes = 0;
  let writtenBytes = 0;
  let isOver = false;
  let broken: Error | null = null;
  let md5s: readonly string[] = [];
  const writes: Promise<void>[] = [];

  const flush = (): void => {
    if (block === null) return;
    const full = block;
    block = null;
    writes.push(
      sink.write(full.subarray(0, filledBytes), position + writtenBytes).then(
        (memory) => blocks.give(memory),
        (thrown: unknown) => {
          broken ??= localFileFailure(thrown);
          blocks.give(null);
        },
      ),
    );
    writtenBytes += filledBytes;
    filledBytes = 0;
    onBytes(receivedBytes);
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
      const count = Math.min(chunk.byteLength - at, block.byteLength - filledBytes);
      block.set(count === chunk.byteLength ? chunk : chunk.subarray(at, at + count), filledBytes);
      filledBytes += count;
      at += count;
      if (filledBytes === block.byteLength) flush();
    }
    release(chunk);
    return undefined;
  };
  const storeInto = async (
    next: Promise<Uint8Array<ArrayBuffer>>,
    chunk: Uint8Array,
    at: number,
  ): Promise<void> => {
    const nextBlock = await next;
    if (isOver) {
      blocks.give(nextBlock.buffer);
      return;
    }
    block = nextBlock;
    await store(chunk, at);
  };
  try {
    await reply.read((chunk) => {
      receivedBytes += chunk.byteLength;
      if (sizeBytes !== null && receivedBytes > sizeBytes) throw lengthDiffers(sizeBytes, receivedBytes);
      if (context.deps.settings().bandwidthBytesPerSecond === null) return store(chunk, 0);
      return context.limiter
        .take(chunk.byteLength, context.signal)
        .then(() => (isOver ? undefined : store(chunk, 0)));
    });
    if (sizeBytes !== null && receivedBytes !== sizeBytes) throw lengthDiffers(sizeBytes, receivedBytes);
    flush();
  } finally {
    isOver = true;
    // Also writes the bytes received before the failure, so that the next attempt resumes after them.
    if (broken === null && onWritten !== undefined && !context.signal.aborted && filledBytes > 0) flush();
    const openBlock = block as Uint8Array<ArrayBuffer> | null;
    if (openBlock !== null) blocks.give(openBlock.buffer);
    await Promise.all(writes);
    md5s = await sink.end().catch((thrown: unknown) => {
      broken ??= localFileFailure(thrown);
      return [];
    });
    if ((broken as Error | null) === null) onWritten?.(writtenBytes);
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
