import { Waiters } from '../../flow/waiters.ts';

/** Limits how much of a growing list may be processed. */
export class ListGate {
  #settledSeq = -1;
  #total = 0;
  #isComplete = false;
  readonly #waiters = new Waiters();

  /** Items up to this number keep the names they have. */
  get settledSeq(): number {
    return this.#isComplete ? Number.MAX_SAFE_INTEGER : this.#settledSeq;
  }

  /** Items listed so far. */
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

  /** Resolves when more items may be processed, or all, or when waiting workers must check that they were stopped. */
  changed(): Promise<void> {
    return this.#waiters.wait();
  }

  wake(): void {
    this.#waiters.wake();
  }
}

/**
 * Tracks which items of an ordered listing have final names. A file `a` may be renamed for keys below `a/`, which
 * follow it, until the listing has passed them. An item that did not get its key's name stops the settling.
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
  /** True if its name equals its key. */
  readonly isPlain: boolean;
}
