import type { Block } from '../../walks/map/block.ts';
import { detachedText } from '../../../../shared/detached-text.ts';
import type { KeyRow } from '../../walks/map/key-row.ts';

/** Keeps the rows with the highest ranks, up to a limit. */
class TopRows {
  readonly #maxRows: number;
  /** Returns a row's rank. Rows with higher ranks come first. */
  readonly #rankOf: (row: KeyRow) => number;
  #rows: KeyRow[] = [];
  /** The rank that a row must exceed to be kept. */
  #least = Number.NEGATIVE_INFINITY;

  constructor(maxRows: number, rankOf: (row: KeyRow) => number, rows: readonly KeyRow[] = []) {
    this.#maxRows = maxRows;
    this.#rankOf = rankOf;
    this.#rows = [...rows];
  }

  /** Returns true if a row with this rank would be kept. */
  wants(rank: number): boolean {
    return rank > this.#least;
  }

  add(row: KeyRow): void {
    this.#rows.push(row);
    if (this.#rows.length >= 2 * this.#maxRows) this.#cut();
  }

  /** Returns the rows, starting with the highest rank. */
  rows(): readonly KeyRow[] {
    this.#cut();
    return this.#rows;
  }

  #cut(): void {
    this.#rows.sort((left, right) => this.#rankOf(right) - this.#rankOf(left));
    this.#rows.length = Math.min(this.#rows.length, this.#maxRows);
    const last = this.#rows.at(-1);
    if (last !== undefined && this.#rows.length === this.#maxRows) this.#least = this.#rankOf(last);
  }
}

export const maxLargest = 3000;
export const maxOldest = 200;

export interface StoredTops {
  readonly largest: readonly KeyRow[];
  readonly oldest: readonly KeyRow[];
}

export interface TopLimits {
  readonly largest: number;
  readonly oldest: number;
}

/** Keeps the largest and the oldest objects among those read. */
export class Tops {
  readonly #largest: TopRows;
  readonly #oldest: TopRows;
  readonly #takes: (row: KeyRow) => boolean;

  constructor(
    stored: StoredTops = { largest: [], oldest: [] },
    limits: TopLimits = { largest: maxLargest, oldest: maxOldest },
    takes: (row: KeyRow) => boolean = () => true,
  ) {
    this.#largest = new TopRows(limits.largest, ({ sizeBytes }) => sizeBytes, stored.largest);
    this.#oldest = new TopRows(limits.oldest, ({ modifiedS }) => -modifiedS, stored.oldest);
    this.#takes = takes;
  }

  add(block: Block, from = 0, to = block.count): void {
    let keys: readonly string[] | null = null;
    for (let at = from; at < to; at += 1) {
      const isLarge = this.#largest.wants(block.sizes[at] ?? 0);
      const seconds = block.seconds[at] ?? 0;
      const isOld = seconds > 0 && this.#oldest.wants(-seconds);
      if (!isLarge && !isOld) continue;
      keys ??= block.keys();
      const key = keys[at] ?? '';
      // Placeholders of folders are not listed as objects.
      if (key.endsWith('/')) continue;
      const row = block.row(detachedText(key), at);
      if (!this.#takes(row)) continue;
      if (isLarge) this.#largest.add(row);
      if (isOld) this.#oldest.add(row);
    }
  }

  stored(): StoredTops {
    return { largest: this.#largest.rows(), oldest: this.#oldest.rows() };
  }
}

/** A heap from which the entry with the largest value is taken first. */
export class LargestFirst<T extends { readonly value: number }> {
  readonly #entries: T[] = [];

  add(entry: T): void {
    const entries = this.#entries;
    entries.push(entry);
    for (let at = entries.length - 1; at > 0;) {
      const up = (at - 1) >> 1;
      if (!this.#swapIfLarger(at, up)) return;
      at = up;
    }
  }

  take(): T | null {
    const entries = this.#entries;
    const [first] = entries;
    const last = entries.pop();
    if (first === undefined || last === undefined) return null;
    if (entries.length === 0) return first;
    entries[0] = last;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = this.#valueAt(left + 1) > this.#valueAt(left) ? left + 1 : left;
      if (child >= entries.length || !this.#swapIfLarger(child, at)) return first;
      at = child;
    }
  }

  #valueAt(at: number): number {
    return this.#entries[at]?.value ?? Number.NEGATIVE_INFINITY;
  }

  #swapIfLarger(at: number, up: number): boolean {
    const [entry, other] = [this.#entries[at], this.#entries[up]];
    if (entry === undefined || other === undefined || entry.value <= other.value) return false;
    this.#entries[at] = other;
    this.#entries[up] = entry;
    return true;
  }
}
