import { Waiters } from '../../flow/waiters.ts';

/** How much of a list may be worked on while it still grows. */
export class ListGate {
  #settledSeq = -1;
  #total = 0;
  #isComplete = false;
  readonly #waiters = new Waiters();

  /** Items up to this number keep the names they have. */
  get settledSeq(): number {
    return this.#isComplete ? Number.MAX_SAFE_INTEGER : this.#settledSeq;
  }

  /** So many are known so far. */
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

  /** Resolves when more may be worked on than now, or all; or when those who wait are woken to see that they were stopped. */
  changed(): Promise<void> {
    return this.#waiters.wait();
  }

  wake(): void {
    this.#waiters.wake();
  }
}

/**
 * Which items of a listing in its order keep their names whatever comes: a file `a` may have to step aside for keys below
 * `a/`, which come after it, until the listing is past them. One that did not get the name of its key settles no more.
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
  /** It is called as its key is. */
  readonly isPlain: boolean;
}
