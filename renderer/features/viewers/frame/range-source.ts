/** Bytes that can be read by ranges: an object, an archive entry, or decompressed content. The version never changes. */
export interface RangeSource {
  readonly sizeBytes: number;
  /**
   * Reads a range; returns fewer bytes only at the end of the source. The bytes may be shared, so callers do not write to them.
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Streams from an offset to the end, in one request. Absent if the source reads only ranges; use `streamFrom`. */
  stream?(offset: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** The origin of a source's bytes. */
export interface RangeOrigin {
  readonly sizeBytes: number;
  /** Fetches exactly these bytes, all of which exist. */
  fetch(offset: number, length: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  stream(offset: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

export interface CacheSize {
  readonly blockBytes: number;
  readonly blocks: number;
}

/** 16 MiB at most for each open object. */
const defaultCache: CacheSize = { blockBytes: 64 * 1024, blocks: 256 };

/** A request in flight. It is aborted when its last reader stops waiting. */
interface Flight {
  readonly firstBlock: number;
  readonly blockCount: number;
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
  readonly aborter: AbortController;
  waiting: number;
}

/**
 * Creates a source that caches recently read blocks and requests neighbouring blocks together. Two readers of a block share its
 * request. Ranges longer than half of the cache bypass it.
 */
export function cachedSource(origin: RangeOrigin, cache: CacheSize = defaultCache): RangeSource {
  const { sizeBytes } = origin;
  const { blockBytes } = cache;
  // Least recently used first.
  const cachedBlocks = new Map<number, Uint8Array<ArrayBuffer>>();
  const flights = new Map<number, Flight>();

  const keep = (block: number, bytes: Uint8Array<ArrayBuffer>): void => {
    cachedBlocks.delete(block);
    cachedBlocks.set(block, bytes);
    for (const oldest of cachedBlocks.keys()) {
      if (cachedBlocks.size <= cache.blocks) return;
      cachedBlocks.delete(oldest);
    }
  };

  /** Lets later readers request the blocks of a flight again, except those that a newer flight has requested since. */
  const forget = (flight: Flight): void => {
    for (let at = 0; at < flight.blockCount; at += 1) {
      const block = flight.firstBlock + at;
      if (flights.get(block) === flight) flights.delete(block);
    }
  };

  /** Requests blocks that are neither cached nor in flight. */
  const startFlight = (first: number, count: number): Flight => {
    const aborter = new AbortController();
    const offset = first * blockBytes;
    const bytes = origin
      .fetch(offset, Math.min(count * blockBytes, sizeBytes - offset), aborter.signal)
      .then((whole) => {
        for (let at = 0; at < count; at += 1)
          keep(first + at, whole.slice(at * blockBytes, (at + 1) * blockBytes));
        return whole;
      });
    const flight: Flight = { firstBlock: first, blockCount: count, bytes, aborter, waiting: 0 };
    for (let at = 0; at < count; at += 1) flights.set(first + at, flight);
    // Callers in `waiting` receive the error. Without callers, the error is ignored.
    bytes.catch(() => undefined).finally(() => forget(flight));
    return flight;
  };

  const awaitFlight = async (flight: Flight, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    flight.waiting += 1;
    try {
      return await unlessAborted(flight.bytes, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        flight.aborter.abort();
        // Otherwise a reader could join the aborted request before it settles, and would receive its AbortError.
        forget(flight);
      }
    }
  };

  return {
    sizeBytes,
    read: async (offset, length, signal = new AbortController().signal) => {
      signal.throwIfAborted();
      const end = Math.min(offset + length, sizeBytes);
      if (offset < 0 || end <= offset) return new Uint8Array();
      if (end - offset > (cache.blocks / 2) * blockBytes)
        return await origin.fetch(offset, end - offset, signal);
      const first = Math.floor(offset / blockBytes);
      const last = Math.floor((end - 1) / blockBytes);
      const found = new Map<number, Uint8Array<ArrayBuffer>>();
      const awaited = new Set<Flight>();
      for (let block = first; block <= last; block += 1) {
        const cachedBlock = cachedBlocks.get(block);
        if (cachedBlock !== undefined) {
          keep(block, cachedBlock);
          found.set(block, cachedBlock);
          continue;
        }
        const inFlight = flights.get(block);
        if (inFlight !== undefined) {
          awaited.add(inFlight);
          continue;
        }
        let through = block;
        while (through < last && !cachedBlocks.has(through + 1) && !flights.has(through + 1)) through += 1;
        awaited.add(startFlight(block, through - block + 1));
        block = through;
      }
      await Promise.all(
        Array.from(awaited, async (flight) => {
          const bytes = await awaitFlight(flight, signal);
          for (let at = 0; at * blockBytes < bytes.length; at += 1)
            found.set(flight.firstBlock + at, bytes.subarray(at * blockBytes, (at + 1) * blockBytes));
        }),
      );
      return joined(found, { first, last, blockBytes }, offset, end);
    },
    stream: async (offset, signal) => await origin.stream(offset, signal),
  };
}

/** Returns a source for bytes in memory. */
export function memorySource(bytes: Uint8Array<ArrayBuffer>): RangeSource {
  return {
    sizeBytes: bytes.length,
    read: async (offset, length) => await Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

function joined(
  found: ReadonlyMap<number, Uint8Array<ArrayBuffer>>,
  { first, last, blockBytes }: { readonly first: number; readonly last: number; readonly blockBytes: number },
  offset: number,
  end: number,
): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(end - offset);
  for (let block = first; block <= last; block += 1) {
    const bytes = found.get(block);
    if (bytes === undefined) throw new Error('A block that was read is missing.');
    const start = block * blockBytes;
    const from = Math.max(offset, start);
    whole.set(bytes.subarray(from - start, Math.min(end, start + bytes.length) - start), from - offset);
  }
  return whole;
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
