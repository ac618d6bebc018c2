import type { Item } from './transfer-job.ts';

/** So many of one kind are read ahead while the other kind is looked for. */
const mostAhead = 1000;

/** The items of a pass, read in their order; large and small ones go different ways, and neither waits for the other. */
export class DueItems {
  readonly #read: (afterSeq: number) => readonly Item[];
  readonly #isLarge: (item: Item) => boolean;
  readonly #signal: AbortSignal;
  readonly #large: Item[] = [];
  readonly #small: Item[] = [];
  #cursor = -1;
  #isOver = false;
  #waiting: (() => void)[] = [];

  /** `read` gives a page of items behind a number; none: that was all. */
  constructor(
    read: (afterSeq: number) => readonly Item[],
    isLarge: (item: Item) => boolean,
    signal: AbortSignal,
  ) {
    this.#read = read;
    this.#isLarge = isLarge;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** undefined: there is no more of this kind, or the pass was stopped. */
  async next(kind: 'large' | 'small'): Promise<Item | undefined> {
    const [own, other] = kind === 'large' ? [this.#large, this.#small] : [this.#small, this.#large];
    while (!this.#signal.aborted) {
      const item = own.shift();
      if (item !== undefined) {
        this.#wake();
        return item;
      }
      if (this.#isOver) return undefined;
      if (other.length >= mostAhead) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else this.#readOn();
    }
    return undefined;
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #readOn(): void {
    const page = this.#read(this.#cursor);
    this.#cursor = page.at(-1)?.seq ?? this.#cursor;
    this.#isOver = page.length === 0;
    for (const item of page) (this.#isLarge(item) ? this.#large : this.#small).push(item);
  }
}
