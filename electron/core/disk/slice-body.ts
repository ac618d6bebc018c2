import type { FileHandle } from 'node:fs/promises';
import type { BodySource } from '../ports.ts';
import type { BandwidthLimiter } from '../flow/limits.ts';
import { readFailure } from './disk-failure.ts';
import { codeOf } from './small-files.ts';
import { openPlanned, type PlannedSource } from './planned-file.ts';

export interface SliceOptions {
  readonly file: PlannedSource;
  readonly offset: number;
  readonly sizeBytes: number;
  /** The slice's bytes; null if they must be read from the file. */
  readonly bytes: Uint8Array | null;
  readonly limiters: readonly BandwidthLimiter[];
  readonly signal: AbortSignal;
  /** Called with the number of bytes sent in this attempt. Each attempt starts at zero. */
  readonly onBytes: (bytesOfThisTry: number) => void;
}

/** A slice of a file as a request body. It can be opened again for each attempt. */
export interface SliceBody extends BodySource {
  /**
   * Frees the memory of a body that was sent, without waiting for the GC. It is outside the V8 heap and triggers no garbage
   * collection, so it would add up. Blocks that the file or a socket may still use are left to the GC: a service may respond before
   * it has read the request.
   */
  readonly free: () => void;
}

type Block = Uint8Array<ArrayBuffer>;

/** The size of one read. Two blocks are held: while one is sent, the next is read. */
const blockBytes = 256 * 1024;

/** Creates a request body from a slice of a file. */
export function sliceBody(options: SliceOptions): SliceBody {
  const unused: Block[] = [];
  return {
    sizeBytes: options.sizeBytes,
    open: () => (options.sizeBytes === 0 ? new Uint8Array(0) : passing(options, unused)),
    free: () => {
      for (const { buffer } of unused.splice(0)) buffer.transfer(0);
    },
  };
}

async function* passing(options: SliceOptions, unused: Block[]): AsyncGenerator<Uint8Array> {
  const source = options.bytes === null ? readSlice(options, unused) : viewsOf(options.bytes);
  let passed = 0;
  for await (const chunk of source) {
    for (const limiter of options.limiters) await limiter.take(chunk.byteLength, options.signal);
    passed += chunk.byteLength;
    options.onBytes(passed);
    yield chunk;
  }
}

/**
 * Reads the slice alternately into two blocks. A consumer that asks for a chunk must be done with the chunk before, so that its
 * block can be filled again. At the end, adds the blocks that nothing uses any longer to `unused`.
 */
async function* readSlice(
  { file, offset, sizeBytes }: SliceOptions,
  unused: Block[],
): AsyncGenerator<Uint8Array> {
  const handle = await openPlanned(file).catch((thrown: unknown) => {
    throw readFailure(codeOf(thrown));
  });
  // An earlier attempt may have failed while its socket still read from its blocks, so each attempt has new ones.
  const pair = [0, 1].map(() => new Uint8Array(Math.min(blockBytes, sizeBytes)));
  const readAt = (done: number): Promise<Uint8Array> => {
    const block = pair[(done / blockBytes) % 2] ?? new Uint8Array(blockBytes);
    const reading = readFully(handle, block.subarray(0, sizeBytes - done), offset + done);
    // The consumer may end before it asks for this block.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = readAt(0);
  try {
    for (let done = 0; done < sizeBytes;) {
      const chunk = await reading;
      done += chunk.byteLength;
      // A file that ended early is noticed by the length of the body.
      const isLast = chunk.byteLength < blockBytes || done === sizeBytes;
      if (!isLast) reading = readAt(done);
      yield chunk;
      if (!isLast) continue;
      // A socket that holds less than its high-water mark requests more before it has sent the chunk.
      const isSent = chunk.byteLength === blockBytes;
      unused.push(...pair.filter(({ buffer }) => isSent || buffer !== chunk.buffer));
      return;
    }
  } finally {
    await reading.catch(() => undefined);
    await handle.close();
  }
}

/** Fills the block from the file. Returns a shorter chunk at the end of the file. */
async function readFully(handle: FileHandle, block: Uint8Array, position: number): Promise<Uint8Array> {
  let done = 0;
  while (done < block.byteLength) {
    const { bytesRead } = await handle.read(block, done, block.byteLength - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return block.subarray(0, done);
}

/** Yields views of the bytes without copying them. */
function* viewsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += blockBytes)
    yield bytes.subarray(start, Math.min(start + blockBytes, bytes.byteLength));
}
