import type { Item } from './transfer-item.ts';
import { Waiters } from '../../flow/deferred-work.ts';

/** Limits processing to those items of a growing list whose names are final. */
export class ListGate {
  #settledSeq = -1;
  #total = 0;
  #isComplete = false;
  readonly #waiters = new Waiters();

  /** The last sequence number that may be processed. All names up to it are final. */
  get settledSeq(): number {
    return this.#isComplete ? Number.MAX_SAFE_INTEGER : this.#settledSeq;
  }

  /** The number of items listed so far. */
  get total(): number {
    return this.#total;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  found(total: number): void {
    this.#total = total;
  }

  settle(seq: number): void {
    if (seq <= this.#settledSeq) return;
    this.#settledSeq = seq;
    this.wake();
  }

  complete(): void {
    this.#isComplete = true;
    this.wake();
  }

  /**
   * Resolves when more items may be processed, when the list is complete, and when workers must check whether they were stopped.
   */
  changed(): Promise<void> {
    return this.#waiters.wait();
  }

  wake(): void {
    this.#waiters.wake();
  }
}

/**
 * Finds out which names of an ordered listing are final. A file `a` may be renamed because of keys below `a/`, until the listing
 * has passed those. After an item whose name differs from its key, no further name counts as final.
 */
export class Settling {
  readonly #open: { readonly seq: number; readonly key: string }[] = [];
  #isPlain = true;
  #settledSeq = -1;

  get settledSeq(): number {
    return this.#settledSeq;
  }

  add({ seq, key, isFile, isPlain }: SettlingItem): void {
    this.#isPlain &&= isPlain;
    if (!this.#isPlain) return;
    for (
      let last = this.#open.at(-1);
      last !== undefined && !key.startsWith(last.key);
      last = this.#open.at(-1)
    )
      this.#open.pop();
    if (isFile) this.#open.push({ seq, key });
    const [first] = this.#open;
    this.#settledSeq = Math.max(this.#settledSeq, first === undefined ? seq : first.seq - 1);
  }
}

interface SettlingItem {
  readonly seq: number;
  readonly key: string;
  readonly isFile: boolean;
  /** True if the item's name is the same as its key. */
  readonly isPlain: boolean;
}

/** The maximum number of items of the other size to hold in memory while looking for a large or small one. */
const maxQueuedAhead = 1000;

/** Returns the due items of a job in order. Large and small items are queued separately, so that neither delays the other. */
export class DueItems {
  readonly #read: (afterSeq: number) => readonly Item[];
  readonly #isLarge: (item: Item) => boolean;
  readonly #signal: AbortSignal;
  readonly #gate: ListGate | null;
  readonly #large: Item[] = [];
  readonly #small: Item[] = [];
  #cursor = -1;
  #isOver = false;
  readonly #onTaken = new Waiters();

  /** `read` returns a page of items after a sequence number. An empty page means that there are no more items at present. */
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
      this.#onTaken.wake();
      gate?.wake();
    };
    signal.addEventListener('abort', onAbort, { once: true });
  }

  /** Returns the next item of this size; undefined if none is left or the run was stopped. */
  async next(kind: 'large' | 'small'): Promise<Item | undefined> {
    const [preferred, other] = kind === 'large' ? [this.#large, this.#small] : [this.#small, this.#large];
    while (!this.#signal.aborted) {
      const item = preferred.shift();
      if (item !== undefined) {
        this.#onTaken.wake();
        return item;
      }
      if (this.#isOver) return undefined;
      if (other.length >= maxQueuedAhead) await this.#onTaken.wait();
      else if (!this.#readOn() && this.#gate !== null) await this.#gate.changed();
    }
    return undefined;
  }

  /** Reads the next page of items. Returns false if no item is available yet. */
  #readOn(): boolean {
    const wasComplete = this.#gate?.isComplete ?? true;
    const maxSeq = this.#gate?.settledSeq ?? Number.MAX_SAFE_INTEGER;
    const page = this.#read(this.#cursor).filter(({ seq }) => seq <= maxSeq);
    this.#cursor = page.at(-1)?.seq ?? this.#cursor;
    for (const item of page) (this.#isLarge(item) ? this.#large : this.#small).push(item);
    this.#isOver = page.length === 0 && wasComplete;
    return page.length > 0 || wasComplete;
  }
}
