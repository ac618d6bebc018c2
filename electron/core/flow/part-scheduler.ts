interface Waiting {
  readonly order: number;
  readonly resolve: () => void;
}

/**
 * Limits a job's parts in flight over all its files. Parts of earlier files come first; later files use the remaining slots. So
 * files finish one after another and no slot is idle.
 */
export class PartScheduler {
  readonly #limit: () => number;
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;

  /** `limit` is called for each slot, so it may change at any time. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get limit(): number {
    return Math.max(1, this.#limit());
  }

  /** Runs work in a slot. `order` is the index of the file within its job. Throws the signal's reason if aborted while queued. */
  async run<T>(order: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#inFlight < this.limit) this.#inFlight += 1;
    else await this.#wait(order, signal);
    try {
      return await work();
    } finally {
      this.#inFlight -= 1;
      this.#next();
    }
  }

  /** Returns true if this file should give up a slot between two parts, because an earlier file waits or the limit shrank. */
  shouldYield(order: number): boolean {
    const [first] = this.#waiting;
    return this.#inFlight > this.limit || (first !== undefined && first.order < order);
  }

  async #wait(order: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { order, resolve };
    const nextIndex = this.#waiting.findIndex((other) => other.order > order);
    this.#waiting.splice(nextIndex === -1 ? this.#waiting.length : nextIndex, 0, waiting);
    const onAbort = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped while waiting.'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #next(): void {
    while (this.#inFlight < this.limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inFlight += 1;
      next.resolve();
    }
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
  work: (part: T) => Promise<void>,
): Promise<void> {
  const queue = parts.entries();
  const unstarted = new Set(parts.keys());
  const failures: unknown[] = [];
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const runner = async (): Promise<void> => {
    while (unstarted.size > 0 && !stop.aborted) {
      try {
        await scheduler.run(order, stop, async () => {
          for (const [index, part] of queue) {
            unstarted.delete(index);
            await work(part);
            if (stop.aborted || scheduler.shouldYield(order)) return;
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
