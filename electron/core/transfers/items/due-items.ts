import type { ListGate } from './list-gate.ts';
import type { Item } from './transfer-job.ts';
import { Waiters } from '../../flow/waiters.ts';

/** So many of one kind are read ahead while the other kind is looked for. */
const mostAhead = 1000;

/** The items of a pass, read in their order; large and small ones go different ways, and neither waits for the other. */
export class DueItems {
  readonly #read: (afterSeq: number) => readonly Item[];
  readonly #isLarge: (item: Item) => boolean;
  readonly #signal: AbortSignal;
  readonly #gate: ListGate | null;
  readonly #large: Item[] = [];
  readonly #small: Item[] = [];
  #cursor = -1;
  #isOver = false;
  readonly #taken = new Waiters();

  /** `read` gives a page of items behind a number; none: that was all, for as long as the list does not grow. */
  constructor(
    read: (afterSeq: number) => readonly Item[],
    isLarge: (item: Item) => boolean,
    signal: AbortSignal,
    gate: ListGate | null = null,
  ) {
    this.#read = read;
    this.#isLarge = isLarge;
    this.#signal = signal;
    this.#gate = gate;
    const onAbort = (): void => {
      this.#taken.wake();
      gate?.wake();
    };
    signal.addEventListener('abort', onAbort, { once: true });
  }

  /** undefined: there is no more of this kind, or the pass was stopped. */
  async next(kind: 'large' | 'small'): Promise<Item | undefined> {
    const [own, other] = kind === 'large' ? [this.#large, this.#small] : [this.#small, this.#large];
    while (!this.#signal.aborted) {
      const item = own.shift();
      if (item !== undefined) {
        this.#taken.wake();
        return item;
      }
      if (this.#isOver) return undefined;
      if (other.length >= mostAhead) await this.#taken.wait();
      else if (!this.#readOn() && this.#gate !== null) await this.#gate.changed();
    }
    return undefined;
  }

  /** False: there was nothing, and there may be more later. */
  #readOn(): boolean {
    const wasComplete = this.#gate?.isComplete ?? true;
    const mostSeq = this.#gate?.settledSeq ?? Number.MAX_SAFE_INTEGER;
    const page = this.#read(this.#cursor).filter(({ seq }) => seq <= mostSeq);
    this.#cursor = page.at(-1)?.seq ?? this.#cursor;
    for (const item of page) (this.#isLarge(item) ? this.#large : this.#small).push(item);
    this.#isOver = page.length === 0 && wasComplete;
    return page.length > 0 || wasComplete;
  }
}
