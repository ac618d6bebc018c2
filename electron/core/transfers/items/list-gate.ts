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

export interface SettlingItem {
  readonly seq: number;
  readonly key: string;
  readonly isFile: boolean;
  /** True if the item's name is the same as its key. */
  readonly isPlain: boolean;
}
