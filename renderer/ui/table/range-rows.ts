import { createStore, type StoreApi } from 'zustand/vanilla';

export interface RangeResponse<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Reads a range of a list in the core. */
export type ReadRange<T> = (
  range: { readonly offset: number; readonly limit: number },
  signal: AbortSignal,
) => Promise<RangeResponse<T>>;

export interface RangeState<T> {
  readonly total: number;
  /** Returns a row, or null if it has not been read. */
  readonly rowAt: (index: number) => T | null;
  readonly hasRead: boolean;
  readonly error: unknown;
}

export const rangePageRows = 200;
/** Maximum number of cached pages. Pages farthest from the visible rows are evicted and read again when needed. */
const maxPages = 60;
const maxReadRows = 1000;

/** A list of any length in the core, read in ranges. Caches the visible rows and a limited number of further rows. */
export class RangeRows<T> {
  readonly #read: ReadRange<T>;
  readonly #isAppendOnly: boolean;
  readonly #pages = new Map<number, readonly T[]>();
  readonly #requested = new Set<number>();
  readonly #never = new AbortController().signal;
  #sight = { first: 0, last: 0 };
  #total = 0;
  #hasRead = false;
  #error: unknown = null;
  #isRefreshing = false;
  #again = false;
  readonly store: StoreApi<RangeState<T>>;

  /**
   * With `isAppendOnly`, rows never change once read, and new rows only appear at the end. Otherwise, each refresh reads the
   * visible rows again.
   */
  constructor(read: ReadRange<T>, isAppendOnly: boolean) {
    this.#read = read;
    this.#isAppendOnly = isAppendOnly;
    this.store = createStore<RangeState<T>>()(() => this.#snapshot());
  }

  state(): RangeState<T> {
    return this.store.getState();
  }

  /** Sets the visible range and reads its missing rows. */
  show(first: number, last: number): void {
    this.#sight = { first, last };
    const missing = this.#inSight().filter((page) => !this.#pages.has(page) && !this.#requested.has(page));
    if (missing.length > 0) void this.#fetch(missing);
  }

  /**
   * Reads the visible rows again, since rows may have been added or changed. Calls made during a refresh are coalesced into one.
   */
  async refresh(): Promise<void> {
    if (this.#isRefreshing) {
      this.#again = true;
      return;
    }
    this.#isRefreshing = true;
    try {
      do {
        this.#again = false;
        const inSight = new Set(this.#inSight());
        for (const [page, rows] of this.#pages)
          if (!inSight.has(page) && !this.#isComplete(rows)) this.#pages.delete(page);
        const lastVisiblePage = Math.max(...inSight);
        await this.#fetch(
          [...inSight].filter(
            (page) => page === lastVisiblePage || !this.#isComplete(this.#pages.get(page) ?? []),
          ),
        );
      } while (this.#again);
    } finally {
      this.#isRefreshing = false;
    }
  }

  /** Reads any range without caching it. */
  async range(first: number, last: number, signal: AbortSignal): Promise<readonly T[]> {
    const rows: T[] = [];
    for (let offset = first; offset <= last; offset += maxReadRows) {
      const limit = Math.min(maxReadRows, last - offset + 1);
      const response = await this.#read({ offset, limit }, signal);
      rows.push(...response.rows);
      if (response.rows.length < limit) break;
    }
    return rows;
  }

  /** Returns all cached rows, for facts about rows that were visible. */
  cachedRows(): readonly T[] {
    return [...this.#pages.values()].flat();
  }

  /** Returns the index of the first cached row that passes the test, or -1. */
  indexOf(test: (row: T) => boolean): number {
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex(test);
      if (at !== -1) return page * rangePageRows + at;
    }
    return -1;
  }

  /** Updates cached rows and keeps their order. `change` returns a row unchanged if it has no new facts for the row. */
  revise(change: (row: T) => T): void {
    let isRevised = false;
    for (const [page, rows] of this.#pages) {
      const revised = rows.map(change);
      if (revised.every((row, at) => row === rows[at])) continue;
      this.#pages.set(page, revised);
      isRevised = true;
    }
    if (isRevised) this.store.setState(this.#snapshot());
  }

  #isComplete(rows: readonly T[]): boolean {
    return this.#isAppendOnly && rows.length === rangePageRows;
  }

  #inSight(): readonly number[] {
    const from = Math.floor(Math.max(0, this.#sight.first) / rangePageRows);
    const to = Math.floor(Math.max(0, this.#sight.last) / rangePageRows);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  }

  async #fetch(pages: readonly number[]): Promise<void> {
    for (const page of pages) this.#requested.add(page);
    try {
      await Promise.all(
        pages.map(async (page) => {
          const range = { offset: page * rangePageRows, limit: rangePageRows };
          const { rows, total } = await this.#read(range, this.#never);
          // Stored at once, since `revise` may be called before the other pages arrive.
          this.#pages.set(page, rows);
          this.#total = total;
        }),
      );
      this.#hasRead = true;
      this.#error = null;
      this.#forgetFar();
    } catch (thrown) {
      this.#error = thrown;
    } finally {
      for (const page of pages) this.#requested.delete(page);
    }
    this.store.setState(this.#snapshot());
  }

  #forgetFar(): void {
    if (this.#pages.size <= maxPages) return;
    const middle = (this.#sight.first + this.#sight.last) / 2 / rangePageRows;
    const byDistance = [...this.#pages.keys()].toSorted(
      (a, b) => Math.abs(b - middle) - Math.abs(a - middle),
    );
    for (const page of byDistance.slice(0, this.#pages.size - maxPages)) this.#pages.delete(page);
  }

  #snapshot(): RangeState<T> {
    const pages = this.#pages;
    return {
      total: this.#total,
      hasRead: this.#hasRead,
      error: this.#error,
      rowAt: (index) => pages.get(Math.floor(index / rangePageRows))?.[index % rangePageRows] ?? null,
    };
  }
}
