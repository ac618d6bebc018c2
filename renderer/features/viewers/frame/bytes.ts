import type { RangeSource } from './range-source.ts';

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : 0xedb88320 ^ (value >>> 1);
  return value;
});

/** Computes the checksum of zip, gzip and PNG (PKWARE APPNOTE, 4.4.7). */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Thrown if the bytes violate the format. */
export class BadFormat extends Error {
  override readonly name = 'BadFormat';
}

const readBytes = 256 * 1024;

/** Streams a source from an offset. Ranges are requested as the consumer reads. */
export function rangeStream(
  source: RangeSource,
  signal: AbortSignal,
  offset = 0,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = offset;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const bytes = at < source.sizeBytes ? await source.read(at, readBytes, signal) : new Uint8Array();
        at += bytes.length;
        // Copies the bytes, which may be shared with the cache. A stream may transfer its bytes to another thread.
        if (bytes.length > 0) controller.enqueue(bytes.slice());
        else controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}

/** Streams a source from an offset to its end: in one request, or by ranges if the source has no streams. */
export async function streamFrom(
  source: RangeSource,
  offset: number,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return (await source.stream?.(offset, signal)) ?? rangeStream(source, signal, offset);
}

/** Yields the bytes from an offset to the end. Leaving the loop ends the request. Throws the signal's reason. */
export async function* chunksFrom(
  source: RangeSource,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const aborter = new AbortController();
  const stream = await streamFrom(source, offset, AbortSignal.any([signal, aborter.signal]));
  try {
    for await (const chunk of chunksOf(stream)) {
      signal.throwIfAborted();
      yield chunk;
    }
  } finally {
    // Closes the request, so that the unread rest of the file is not transferred.
    aborter.abort();
  }
}

/** Yields the chunks of a stream, also in Safari 18, whose streams are not iterable. Leaving the loop cancels the stream. */
export async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export interface Collected {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if there was more. */
  readonly isCut: boolean;
}

/** Collects the first bytes of a stream and cancels the rest. */
export async function collected(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Collected> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  // Leaving the loop cancels the rest, which could have any size.
  for await (const value of chunksOf(stream)) {
    const piece = value.subarray(0, maxBytes - size);
    if (piece.length > 0) pieces.push(piece);
    size += piece.length;
    isCut = piece.length < value.length;
    if (isCut) break;
  }
  return { bytes: joinedBytes(pieces), isCut };
}

export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Returns null if an offset leads outside the file, which may be cut off. */
export function withinFile<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

export function viewOf<Memory extends ArrayBufferLike>(bytes: Uint8Array<Memory>): DataView<Memory> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
