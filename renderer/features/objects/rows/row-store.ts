import { compareKeys } from '../../../../shared/keys/paths.ts';
import type { FolderRow } from './folder-row.ts';
import { PackedRows } from './packed-rows.ts';

/** Number of recently read rows that are cached as objects. Visible rows are thus the same objects in each render. */
const maxRecent = 1000;

/** Returns a text that identifies a row. It includes the kind, since `a` and `a/` may both exist. */
function nameOf({ kind, key }: Pick<FolderRow, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

/** The rows of a folder by number, stored page by page in packed columns. Drops repeated rows. */
export class RowStore {
  readonly #pages: PackedRows[] = [];
  /** The number of the first row of each page. */
  readonly #starts: number[] = [];
  #count = 0;
  #lastKey: string | null = null;
  /** The names of all rows, for finding repeated rows. Null while keys ascend, since no row is then repeated. */
  #names: Set<string> | null = null;
  readonly #recent = new Map<number, FolderRow>();
  readonly #held = new Map<number, FolderRow>();
  /** The index of the page with the row read last. */
  #at = 0;

  get pages(): readonly PackedRows[] {
    return this.#pages;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a page. Skips rows that were listed on an earlier page. */
  add(page: PackedRows): void {
    if (page.length === 0) return;
    const continuesOrder =
      this.#lastKey === null || (page.firstKey !== null && compareKeys(this.#lastKey, page.firstKey) < 0);
    if (this.#names === null && !(page.isAscending && continuesOrder)) {
      this.#names = new Set();
      for (const earlier of this.#pages) for (const row of earlier) this.#names.add(nameOf(row));
    }
    const names = this.#names;
    if (names === null) {
      this.#push(page);
      return;
    }
    const rows = [...page].filter((row) => {
      const name = nameOf(row);
      if (names.has(name)) return false;
      names.add(name);
      return true;
    });
    if (rows.length > 0) this.#push(rows.length === page.length ? page : PackedRows.of(rows));
  }

  #push(page: PackedRows): void {
    this.#pages.push(page);
    this.#starts.push(this.#count);
    this.#count += page.length;
    this.#lastKey = page.lastKey;
  }

  /** Returns the row. Recently read rows are cached, so repeated calls return the same object. */
  row(number: number): FolderRow | undefined {
    const known = this.#held.get(number) ?? this.#recent.get(number);
    if (known !== undefined) return known;
    const row = this.#read(number);
    if (row === undefined) return undefined;
    if (this.#recent.size >= maxRecent) this.#recent.clear();
    this.#recent.set(number, row);
    return row;
  }

  /** Returns the row as an object that stays the same for all later calls, so that it can be the key of a `WeakMap`. */
  hold(number: number): FolderRow | undefined {
    const row = this.row(number);
    if (row !== undefined) this.#held.set(number, row);
    return row;
  }

  /** Returns a row without caching it, for iterating over very many rows. */
  peek(number: number): FolderRow | undefined {
    return this.#held.get(number) ?? this.#read(number);
  }

  key(number: number): string | undefined {
    const page = this.#pageOf(number);
    return this.#pages[page]?.key(number - (this.#starts[page] ?? 0));
  }

  isFolder(number: number): boolean {
    const page = this.#pageOf(number);
    return this.#pages[page]?.isFolder(number - (this.#starts[page] ?? 0)) ?? false;
  }

  sizeBytes(number: number): number {
    const page = this.#pageOf(number);
    return this.#pages[page]?.sizeBytes(number - (this.#starts[page] ?? 0)) ?? 0;
  }

  /** Returns the number of the row with this kind and key, or -1. */
  find(kind: FolderRow['kind'], key: string): number {
    const matches = (number: number): boolean =>
      this.key(number) === key && this.isFolder(number) === (kind === 'folder');
    // With ascending keys, only one page can contain the key.
    const only = this.#names === null ? this.#pages.findIndex((page) => endsAt(page, key)) : null;
    if (only === -1) return -1;
    const from = only === null ? 0 : (this.#starts[only] ?? 0);
    const to = only === null ? this.#count : from + (this.#pages[only]?.length ?? 0);
    for (let number = from; number < to; number += 1) if (matches(number)) return number;
    return -1;
  }

  #read(number: number): FolderRow | undefined {
    const page = this.#pageOf(number);
    return this.#pages[page]?.row(number - (this.#starts[page] ?? 0));
  }

  #pageOf(number: number): number {
    const isOnPage = (page: number): boolean => {
      const from = this.#starts[page];
      return from !== undefined && number >= from && number < (this.#starts[page + 1] ?? this.#count);
    };
    if (isOnPage(this.#at)) return this.#at;
    if (isOnPage(this.#at + 1)) return (this.#at += 1);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= number) low = middle;
      else high = middle - 1;
    }
    this.#at = low;
    return low;
  }
}

function endsAt({ lastKey }: PackedRows, key: string): boolean {
  return lastKey !== null && compareKeys(lastKey, key) >= 0;
}
