import { failure } from '../../../shared/errors.ts';
import type { GetObjectOutput } from '../s3/types.ts';
import type { PieceSink } from '../uploads/piece-sink.ts';
import { localFailure, type ItemContext } from './item-context.ts';

/** Small enough to be hashed from the processor's cache after it was written, large enough to be worth a message. */
const blockBytes = 512 * 1024;

/** Memory that goes between this thread and those that write; so much of it and no more, however fast the network is. */
export class Blocks {
  readonly #free: Uint8Array[] = [];
  readonly #waiting: ((block: Uint8Array) => void)[] = [];
  readonly #sizeBytes: number;
  #toMake: number;

  /** For so many that receive at the same time: one block is filled while others are written. */
  constructor(receivers: number, largestBytes: number) {
    this.#toMake = receivers * 3;
    this.#sizeBytes = Math.max(1, Math.min(blockBytes, largestBytes));
  }

  take(): Uint8Array | Promise<Uint8Array> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#toMake > 0) {
      this.#toMake -= 1;
      return new Uint8Array(new SharedArrayBuffer(this.#sizeBytes));
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(block: Uint8Array): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(block);
    else next(block);
  }
}

export interface Receiving {
  readonly sink: PieceSink;
  readonly blocks: Blocks;
  /** Where in the file the first byte belongs. */
  readonly position: number;
  /** So many bytes have to come. */
  readonly sizeBytes: number;
  readonly onBytes: (bytes: number) => void;
}

/** Takes the bytes of an answer to their place in the file. Whatever happens, nothing is written any more when it ends. */
export async function receive(
  context: ItemContext,
  answer: Pick<GetObjectOutput, 'read'>,
  { sink, blocks, position, sizeBytes, onBytes }: Receiving,
): Promise<readonly string[]> {
  let block: Uint8Array | null = null;
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
      sink
        .write(full.subarray(0, filled), position + sent)
        .catch((thrown: unknown) => {
          broken ??= localFailure(thrown);
        })
        .finally(() => blocks.give(full)),
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
  const storeInto = async (next: Promise<Uint8Array>, chunk: Uint8Array, at: number): Promise<void> => {
    const given = await next;
    if (isOver) {
      blocks.give(given);
      return;
    }
    block = given;
    await store(chunk, at);
  };
  try {
    await answer.read((chunk) => {
      passed += chunk.byteLength;
      if (passed > sizeBytes) throw tooMuch();
      if (context.deps.settings().bandwidthBytesPerSecond === null) return store(chunk, 0);
      return context.limiter.take(chunk.byteLength).then(() => (isOver ? undefined : store(chunk, 0)));
    });
    if (passed !== sizeBytes) throw tooMuch();
    flush();
  } finally {
    isOver = true;
    // A block that was not filled to its end is of no use after a failure.
    if (block !== null) blocks.give(block);
    await Promise.all(writes);
    md5s = await sink.end().catch((thrown: unknown) => {
      broken ??= localFailure(thrown);
      return [];
    });
  }
  // Set in functions of its own, which the compiler does not follow.
  const failed = broken as Error | null;
  if (failed !== null) throw failed;
  return md5s;
}

/**
 * Gives back the memory of a chunk that was copied. Left to the collector, the chunks of a gigabyte cost more than their
 * transfer: V8 begins a whole collection for each few dozen megabytes outside of its heap. Not before the socket's own
 * code is done with it, and only where nothing else lies in the same memory: undici goes on after a pause with an empty
 * buffer, which is one for all of its connections.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && buffer instanceof ArrayBuffer && byteLength === buffer.byteLength)
    queueMicrotask(() => {
      buffer.transfer(0);
    });
}

function tooMuch(): Error {
  return failure('protocol', 'The service sent another number of bytes than was asked for.', {
    reason: 'unexpected-answer',
    retry: 'backoff',
  });
}
