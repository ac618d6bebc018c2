import type { Clock } from '../ports.ts';

/** When a batch that is not full is sent. A full batch is sent as soon as a slot is free. */
export type PartialBatches =
  /** The batch is sent when no other batch is in flight, so that callers that await a result can still add entries. */
  | { readonly kind: 'when-idle' }
  | { readonly kind: 'at-once' }
  /** The batch is sent at this time after its first entry. */
  | { readonly kind: 'after'; readonly clock: Clock; readonly ms: number }
  /** The batch is sent at this time after the previous batch. */
  | { readonly kind: 'apart'; readonly clock: Clock; readonly ms: number };

/** How entries are collected and sent, and how many batches may be in flight. */
export interface BatchOptions<T, R> {
  readonly size: number;
  /** A batch with this many bytes also counts as full. */
  readonly bytes?: { readonly max: number; readonly of: (entry: T) => number };
  readonly atOnce: number;
  /** The default is `when-idle`. */
  readonly partial?: PartialBatches;
  /** Sends a batch. Returns one result per entry, in the same order. */
  readonly send: (entries: readonly T[]) => Promise<readonly R[]>;
}

interface Waiting<T, R> {
  readonly entry: T;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** Coalesces the entries of many callers into a few requests. */
export class Coalescer<T, R> {
  readonly #options: BatchOptions<T, R>;
  readonly #partial: PartialBatches;
  #waiting: Waiting<T, R>[] = [];
  #waitingBytes = 0;
  #inFlight = 0;
  #isScheduled = false;
  /** The state of the pending batch's timer. `over` means that it fired in this round; timers of earlier rounds are ignored. */
  #timer: 'off' | 'set' | 'over' = 'off';
  #round = 0;

  constructor(options: BatchOptions<T, R>) {
    this.#options = options;
    this.#partial = options.partial ?? { kind: 'when-idle' };
  }

  /** Adds an entry and resolves with its result. If aborted while queued, rejects with the signal's reason and sends nothing. */
  add(entry: T, signal?: AbortSignal): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, signal, resolve, reject });
      this.#waitingBytes += this.#bytesOf(entry);
      this.#setTimerAfterFirst();
      this.#schedule();
    });
  }

  /**
   * Schedules a flush. With `when-idle`, it runs after the current event-loop turn, so that all callers can add entries;
   * otherwise in a microtask.
   */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const go = (): void => {
      this.#isScheduled = false;
      this.#sendDue();
    };
    if (this.#partial.kind === 'when-idle') setImmediate(go);
    else queueMicrotask(go);
  }

  #sendDue(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.#options.atOnce && this.#mayGo()) {
      const batch = this.#take();
      if (batch.length === 0) continue;
      this.#setTimerApart();
      void this.#send(batch);
    }
    this.#setTimerAfterFirst();
  }

  #mayGo(): boolean {
    const { size, bytes } = this.#options;
    if (this.#waiting.length >= size || this.#waitingBytes >= (bytes?.max ?? Number.POSITIVE_INFINITY))
      return true;
    switch (this.#partial.kind) {
      case 'when-idle':
        return this.#inFlight === 0;
      case 'at-once':
        return true;
      case 'after':
        return this.#timer === 'over';
      case 'apart':
        return this.#timer !== 'set';
      default:
        return this.#partial satisfies never;
    }
  }

  /** Removes the next batch from the queue, without aborted entries. */
  #take(): readonly Waiting<T, R>[] {
    const { size, bytes } = this.#options;
    let count = 0;
    let batchBytes = 0;
    for (const { entry } of this.#waiting) {
      if (count === size || batchBytes >= (bytes?.max ?? Number.POSITIVE_INFINITY)) break;
      count += 1;
      batchBytes += this.#bytesOf(entry);
    }
    this.#waitingBytes -= batchBytes;
    if (this.#partial.kind === 'after') this.#endRound();
    return this.#waiting.splice(0, count).filter(({ signal, reject }) => {
      if (signal?.aborted === true) reject(signal.reason);
      return signal?.aborted !== true;
    });
  }

  #bytesOf(entry: T): number {
    return this.#options.bytes?.of(entry) ?? 0;
  }

  #setTimerAfterFirst(): void {
    if (this.#partial.kind === 'after' && this.#waiting.length > 0) this.#setTimer(this.#partial);
  }

  #setTimerApart(): void {
    if (this.#partial.kind === 'apart') this.#setTimer(this.#partial);
  }

  #setTimer({ clock, ms }: { readonly clock: Clock; readonly ms: number }): void {
    if (this.#timer !== 'off') return;
    this.#timer = 'set';
    const round = this.#round;
    const over = (): void => {
      if (round !== this.#round) return;
      if (this.#partial.kind === 'apart') this.#endRound();
      else this.#timer = 'over';
      this.#sendDue();
    };
    void clock.sleep(ms).then(over, over);
  }

  #endRound(): void {
    this.#round += 1;
    this.#timer = 'off';
  }

  async #send(batch: readonly Waiting<T, R>[]): Promise<void> {
    this.#inFlight += 1;
    try {
      const results = await this.#options.send(batch.map(({ entry }) => entry));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        if (result === undefined) waiting.reject(new Error('A batch returned too few results.'));
        else waiting.resolve(result);
      }
    } catch (thrown) {
      for (const waiting of batch) waiting.reject(thrown);
    } finally {
      this.#inFlight -= 1;
      this.#schedule();
    }
  }
}

/** The time in milliseconds that the first write waits for others. A flush to disk takes longer. */
const collectMs = 5;

/**
 * Joins concurrent writes into one transaction, so that the disk is flushed once. A write resolves when it is on disk. If the
 * transaction fails, all its writes fail.
 */
export class GroupCommit {
  readonly #writes: Coalescer<() => void, true>;

  /** `maxWrites` is the number of pending writes at which a transaction starts without a delay. */
  constructor(store: { transaction(work: () => void): unknown }, clock: Clock, maxWrites: number) {
    this.#writes = new Coalescer({
      size: maxWrites,
      atOnce: Number.POSITIVE_INFINITY,
      partial: { kind: 'after', clock, ms: collectMs },
      send: async (writes) => {
        store.transaction(() => {
          for (const write of writes) write();
        });
        return await Promise.resolve(writes.map(() => true as const));
      },
    });
  }

  /** Resolves once the write is on disk. Rejects with the store's error or the signal's reason; then nothing was written. */
  async write(write: () => void, signal: AbortSignal): Promise<void> {
    await this.#writes.add(write, signal);
  }
}

/** A call whose result several callers await. It is aborted once every caller has aborted. */
export class SharedCall<T> {
  readonly #ending = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#result = start(this.#ending.signal);
    // A failure is reported to the callers, of which each may have aborted.
    this.#result.catch(() => undefined);
  }

  get isAborted(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Returns the result. Throws the signal's reason if it aborts first, or what the call throws. */
  async join(signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    this.#callers += 1;
    if (signal === undefined) return await this.#result;
    return await new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        this.#callers -= 1;
        if (this.#callers === 0) this.#ending.abort(signal.reason);
        reject(signal.reason);
      };
      const stay = (): void => {
        signal.removeEventListener('abort', leave);
      };
      signal.addEventListener('abort', leave, { once: true });
      void this.#result.then(resolve, reject).finally(stay);
    });
  }
}
