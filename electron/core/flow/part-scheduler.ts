/**
 * The memory budget in bytes for parts in flight. A buffered part is read from disk only once; a part beyond the budget is
 * streamed.
 */
export const bufferedBytes = 128 * 1024 * 1024;

/** A slot for one part that a job may have in flight. */
export interface PartSlot {
  /**
   * Returns memory for a part of this size, which the slot reuses for its next part. Returns null if the budget is used up; the
   * part must then be streamed.
   */
  buffer(sizeBytes: number): SharedArrayBuffer | null;
}

/**
 * Reuses part buffers between jobs. They are held by `WeakRef`, so the GC may reclaim them. They are outside the heap and trigger
 * no collection, so without reuse the buffers of successive uploads would add up.
 */
export class SpareBuffers {
  #buffers: WeakRef<SharedArrayBuffer>[] = [];

  keep(buffer: SharedArrayBuffer): void {
    this.#buffers = this.#buffers.filter((reference) => reference.deref() !== undefined);
    this.#buffers.push(new WeakRef(buffer));
  }

  /** Returns a spare buffer of exactly this size, or a new one. */
  take(sizeBytes: number): SharedArrayBuffer {
    const at = this.#buffers.findIndex((reference) => reference.deref()?.byteLength === sizeBytes);
    const [found] = at === -1 ? [] : this.#buffers.splice(at, 1);
    return found?.deref() ?? new SharedArrayBuffer(sizeBytes);
  }
}

interface Waiting {
  readonly order: number;
  readonly resolve: (slot: RequestedSlot) => void;
}

/**
 * Limits a job's parts in flight over all its files, and their memory. Parts of earlier files come first; later files use the
 * remaining slots. So files finish one after another and no slot is idle.
 */
export class PartScheduler {
  readonly #limit: () => number;
  readonly #maxBytes: number;
  readonly #spare: SpareBuffers;
  readonly #free: RequestedSlot[] = [];
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;
  #heldBytes = 0;

  /** `limit` is called for each slot, so it may change at any time. */
  constructor(
    limit: () => number,
    maxBytes: number = bufferedBytes,
    spare: SpareBuffers = new SpareBuffers(),
  ) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
    this.#spare = spare;
  }

  get limit(): number {
    return Math.max(1, this.#limit());
  }

  /** Runs work in a slot. `order` is the index of the file within its job. Throws the signal's reason if aborted while queued. */
  async run<T>(order: number, signal: AbortSignal, work: (slot: PartSlot) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const slot = this.#inFlight < this.limit ? this.#begin() : await this.#wait(order, signal);
    try {
      return await work(slot);
    } finally {
      this.#inFlight -= 1;
      this.#free.push(slot);
      this.#next();
    }
  }

  /** Closes the pool and returns its buffers to the shared cache. */
  end(): void {
    for (const slot of this.#free.splice(0)) {
      const buffer = slot.leave();
      if (buffer !== null) this.#spare.keep(buffer);
    }
  }

  /** Returns true if this file should give up a slot between two parts, because an earlier file waits or the limit shrank. */
  isWanted(order: number): boolean {
    const [first] = this.#waiting;
    return this.#inFlight > this.limit || (first !== undefined && first.order < order);
  }

  #begin(): RequestedSlot {
    this.#inFlight += 1;
    return this.#free.pop() ?? new RequestedSlot((more) => this.#mayHold(more), this.#spare);
  }

  async #wait(order: number, signal: AbortSignal): Promise<RequestedSlot> {
    const { promise, resolve, reject } = Promise.withResolvers<RequestedSlot>();
    const waiting: Waiting = { order, resolve };
    const behind = this.#waiting.findIndex((other) => other.order > order);
    this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, waiting);
    const onAbort = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped while waiting.'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #next(): void {
    while (this.#inFlight < this.limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next.resolve(this.#begin());
    }
  }

  #mayHold(moreBytes: number): boolean {
    if (this.#heldBytes + moreBytes > this.#maxBytes) return false;
    this.#heldBytes += moreBytes;
    return true;
  }
}

class RequestedSlot implements PartSlot {
  readonly #mayHold: (moreBytes: number) => boolean;
  readonly #spare: SpareBuffers;
  #buffer: SharedArrayBuffer | null = null;

  constructor(mayHold: (moreBytes: number) => boolean, spare: SpareBuffers) {
    this.#mayHold = mayHold;
    this.#spare = spare;
  }

  leave(): SharedArrayBuffer | null {
    const buffer = this.#buffer;
    this.#buffer = null;
    return buffer;
  }

  buffer(sizeBytes: number): SharedArrayBuffer | null {
    const heldBytes = this.#buffer?.byteLength ?? 0;
    if (this.#buffer !== null && heldBytes >= sizeBytes) return this.#buffer;
    if (!this.#mayHold(sizeBytes - heldBytes)) return null;
    this.#buffer = this.#spare.take(sizeBytes);
    return this.#buffer;
  }
}

export interface PartWork {
  readonly scheduler: PartScheduler;
  /** The index of the file within its job. */
  readonly order: number;
  readonly signal: AbortSignal;
}

/**
 * Calls `work` for each part of one file, in the job's slots. The first failure, or the signal, cancels queued parts. Then
 * rejects once all parts in flight have ended.
 */
export async function forEachScheduled<T>(
  parts: readonly T[],
  { scheduler, order, signal }: PartWork,
  work: (part: T, slot: PartSlot) => Promise<void>,
): Promise<void> {
  const queue = parts.entries();
  const waiting = new Set(parts.keys());
  const failures: unknown[] = [];
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const runner = async (): Promise<void> => {
    while (waiting.size > 0 && !stop.aborted) {
      try {
        await scheduler.run(order, stop, async (slot) => {
          for (const [index, part] of queue) {
            waiting.delete(index);
            await work(part, slot);
            if (stop.aborted || scheduler.isWanted(order)) return;
          }
        });
      } catch (thrown) {
        failures.push(thrown);
        failed.abort(thrown);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(scheduler.limit, parts.length) }, runner));
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}
