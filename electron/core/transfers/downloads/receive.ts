import type { Blocks } from '../items/blocks.ts';
import type { JobSettings } from '../../../../shared/models/jobs.ts';
import { lengthDiffers } from '../../s3/model/damage.ts';
import type { GetObjectOutput } from '../../s3/model/object-types.ts';
import { memoryOf } from '../../s3/http/used-memory.ts';
import type { PieceSink } from '../../disk/piece-sink.ts';
import type { BandwidthLimiter } from '../../flow/bandwidth.ts';
import { localFileFailure } from '../items/item-context.ts';

export interface ReceivingContext {
  readonly deps: { readonly settings: () => Pick<JobSettings, 'bandwidthBytesPerSecond'> };
  readonly limiter: Pick<BandwidthLimiter, 'take'>;
  readonly signal: AbortSignal;
}

export interface Receiving {
  readonly sink: PieceSink;
  readonly blocks: Blocks;
  /** Where in the file the first byte belongs. */
  readonly position: number;
  /** So many bytes have to come; null: as many as there are. */
  readonly sizeBytes: number | null;
  readonly onBytes: (bytes: number) => void;
  /** At the end, also after a failure of the service: so many bytes are in the file, from the position on. */
  readonly onKept?: (bytes: number) => void;
}

/** Takes the bytes of an answer to their place in the file. Whatever happens, nothing is written any more when it ends. */
export async function receive(
  context: ReceivingContext,
  answer: Pick<GetObjectOutput, 'read'>,
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
    await answer.read((chunk) => {
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
    // Bytes received before a failure are kept too: the next try continues after them.
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
  // Set in functions of its own, which the compiler does not follow.
  const failed = broken as Error | null;
  if (failed !== null) throw failed;
  return md5s;
}

/**
 * Gives back the memory of a chunk that was copied. Left to the collector, the chunks of a gigabyte cost more than their
 * transfer: V8 begins a whole collection for each few dozen megabytes outside of its heap. Not before the socket's own
 * code is done with it, and only where nothing else is in the same memory: undici goes on after a pause with an empty
 * buffer, which is one for all of its connections.
 */
function release(chunk: Uint8Array): void {
  const memory = memoryOf(chunk);
  if (memory?.byteLength === chunk.byteLength)
    queueMicrotask(() => {
      memory.transfer(0);
    });
}
