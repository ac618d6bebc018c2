import type { Clock } from '../ports.ts';

/** When a batch goes out that is not full. A full one goes as soon as there is a place for it. */
export type PartialBatches =
  /** When none is under way: those who wait for an answer may have more to add. */
  | { readonly kind: 'when-idle' }
  | { readonly kind: 'at-once' }
  /** So long after its first entry. */
  | { readonly kind: 'after'; readonly clock: Clock; readonly ms: number }
  /** So long after the batch before it began. */
  | { readonly kind: 'apart'; readonly clock: Clock; readonly ms: number };

/** How entries are batched and sent, and how many batches may be in flight. */
export interface BatchOptions<T, R> {
  readonly size: number;
  /** A batch of so many bytes is full, too. */
  readonly bytes?: { readonly most: number; readonly of: (entry: T) => number };
  readonly atOnce: number;
  /** Absent: when none is under way. */
  readonly partial?: PartialBatches;
  /** One result for each, in their order. */
  readonly send: (entries: readonly T[]) => Promise<readonly R[]>;
}

interface Waiting<T, R> {
  readonly entry: T;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** Collects what many workers ask for one by one into few requests. */
export class Coalescer<T, R> {
  readonly #options: BatchOptions<T, R>;
  readonly #partial: PartialBatches;
  #waiting: Waiting<T, R>[] = [];
  #waitingBytes = 0;
  #underWay = 0;
  #isScheduled = false;
  /** The timer of the pending batch. `over`: it fired in this round; a timer of an earlier round is ignored. */
  #timer: 'off' | 'set' | 'over' = 'off';
  #round = 0;

  constructor(options: BatchOptions<T, R>) {
    this.#options = options;
    this.#partial = options.partial ?? { kind: 'when-idle' };
  }

  /** An entry whose signal aborts while it waits is not sent, and fails with the signal's reason. */
  add(entry: T, signal?: AbortSignal): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, signal, resolve, reject });
      this.#waitingBytes += this.#bytesOf(entry);
      this.#setTimerAfterFirst();
      this.#schedule();
    });
  }

  /** Once all are heard who add in this turn of the loop; where their answers matter, once all who can are heard. */
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
    while (this.#waiting.length > 0 && this.#underWay < this.#options.atOnce && this.#mayGo()) {
      const batch = this.#take();
      if (batch.length === 0) continue;
      this.#setTimerApart();
      void this.#send(batch);
    }
    this.#setTimerAfterFirst();
  }

  #mayGo(): boolean {
    const { size, bytes } = this.#options;
    if (this.#waiting.length >= size || this.#waitingBytes >= (bytes?.most ?? Number.POSITIVE_INFINITY))
      return true;
    switch (this.#partial.kind) {
      case 'when-idle':
        return this.#underWay === 0;
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

  /** The next batch, without those who have stopped waiting. */
  #take(): readonly Waiting<T, R>[] {
    const { size, bytes } = this.#options;
    let count = 0;
    let taken = 0;
    for (const { entry } of this.#waiting) {
      if (count === size || taken >= (bytes?.most ?? Number.POSITIVE_INFINITY)) break;
      count += 1;
      taken += this.#bytesOf(entry);
    }
    this.#waitingBytes -= taken;
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
    this.#underWay += 1;
    try {
      const results = await this.#options.send(batch.map(({ entry }) => entry));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        if (result === undefined) waiting.reject(new Error('A batch came back with too few results.'));
        else waiting.resolve(result);
      }
    } catch (thrown) {
      for (const waiting of batch) waiting.reject(thrown);
    } finally {
      this.#underWay -= 1;
      this.#schedule();
    }
  }
}
