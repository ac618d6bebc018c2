import { compareKeys } from '../../../shared/keys/order.ts';
import type { UnreadableEntry } from '../../../shared/models/objects.ts';
import type { RowOrder } from '../../ui/selection.ts';
import { rowName, type FolderRow, type RowsPage } from './row.ts';
import type { SortOrder } from './sort.ts';
import { nextTask, type Sorter } from './sorter.ts';

const rowsPerSlice = 20_000;

/** null: the rows stand in their order. */
type Sorting = ReturnType<Sorter> | null;

/** `a` and `a/` may both exist. */
function nameOf({ kind, key }: FolderRow): string {
  return `${kind} ${key}`;
}

/**
 * The rows of one folder and the order they stand in: outside React, appended to in time that depends on the page
 * alone. Rows never move or leave; their number is their place in the service's order.
 */
export class FolderModel implements RowOrder {
  readonly folder: string;
  readonly #rows: FolderRow[] = [];
  readonly #sorter: Sorter;
  #pageCount = 0;
  #version = 0;
  /** The rows in their sorted order; null: the service's. */
  #sorted: Uint32Array | null = null;
  /** What is shown, where that is not all of it in the service's order. */
  #shown: number[] | Uint32Array | null = null;
  #sort: SortOrder | null = null;
  #sortFoldersFirst = false;
  #filter = '';
  #busy: 'sorting' | 'filtering' | null = null;
  #isReady = false;
  #work = new AbortController();
  readonly #listeners = new Set<() => void>();
  /** The names of all rows, once a page has gone back: then one may come again. Null: they grow, and none can. */
  #names: Set<string> | null = null;
  #unreadable: readonly UnreadableEntry[] = [];
  #foreign: RowsPage['foreign'] = { count: 0, example: null };

  /** The rows that these take the place of, when the folder was listed again: their order and filter are taken over. */
  #before: FolderModel | null;

  constructor(folder: string, sorter: Sorter, before: FolderModel | null = null) {
    this.folder = folder;
    this.#sorter = sorter;
    this.#before = before;
    if (before === null) return;
    // One step back is enough.
    before.#before = null;
    this.#sort = before.#sort;
    this.#sortFoldersFirst = before.#sortFoldersFirst;
    this.#filter = before.#filter;
  }

  get before(): FolderModel | null {
    return this.#before;
  }

  /** Its rows stand in their order for the first time. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Takes in the pages that are new since the last call. */
  take(pages: readonly RowsPage[]): void {
    if (pages.length === this.#pageCount) return;
    // Of a folder that is listed again: the order and the filter of before are waiting for rows.
    const isInherited = this.#pageCount === 0 && (this.#sort !== null || this.#filter !== '');
    const before = this.#rows.length;
    for (; this.#pageCount < pages.length; this.#pageCount += 1) {
      const page = pages[this.#pageCount];
      if (page === undefined) continue;
      for (const row of page.rows) this.#add(row);
      if (page.unreadable.length > 0) this.#unreadable = [...this.#unreadable, ...page.unreadable];
      const { count, example } = this.#foreign;
      if (page.foreign.count > 0)
        this.#foreign = { count: count + page.foreign.count, example: example ?? page.foreign.example };
    }
    if (this.#filter !== '' && Array.isArray(this.#shown) && this.#busy === null)
      this.#matchInto(this.#shown, before, this.#rows.length);
    // A sorted folder is complete; if pages come all the same (a reload), the order is the service's again.
    else if (isInherited || this.#sorted !== null || this.#busy !== null) this.#rearrange();
    else this.#isReady = true;
    this.#changed();
  }

  /** Takes a row once, though the service lists it on two pages. */
  #add(row: FolderRow): void {
    const last = this.#rows.at(-1);
    if (this.#names === null && last !== undefined && compareKeys(last.key, row.key) >= 0)
      this.#names = new Set(this.#rows.map(nameOf));
    if (this.#names !== null) {
      const name = nameOf(row);
      if (this.#names.has(name)) return;
      this.#names.add(name);
    }
    this.#rows.push(row);
  }

  /** Entries of the listing that could not be read: they have no row. */
  get unreadable(): readonly UnreadableEntry[] {
    return this.#unreadable;
  }

  /** Entries that do not lie in the folder, and have no row. */
  get foreign(): RowsPage['foreign'] {
    return this.#foreign;
  }

  get count(): number {
    return this.#shown === null ? this.#rows.length : this.#shown.length;
  }

  /** All rows that are loaded, whatever the filter. */
  get loadedCount(): number {
    return this.#rows.length;
  }

  get sort(): SortOrder | null {
    return this.#sort;
  }

  get filter(): string {
    return this.#filter;
  }

  get busy(): 'sorting' | 'filtering' | null {
    return this.#busy;
  }

  readonly version = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** The number of the row at a position. */
  rowAt(position: number): number {
    return this.#shown === null ? position : (this.#shown[position] ?? position);
  }

  positionOf(row: number): number {
    if (this.#shown === null) return row < this.#rows.length ? row : -1;
    return this.#shown.indexOf(row);
  }

  row(number: number): FolderRow | undefined {
    return this.#rows[number];
  }

  /** The number of the row with this kind and key; -1 where it is not loaded. */
  find(kind: FolderRow['kind'], key: string): number {
    return this.#rows.findIndex((row) => row.key === key && row.kind === kind);
  }

  /** The next position, going round, whose name begins with what was typed. */
  typeAhead(typed: string, fromPosition: number): number | null {
    const wanted = typed.toLocaleLowerCase();
    const { count } = this;
    for (let step = 0; step < count; step += 1) {
      const position = (fromPosition + step) % count;
      const row = this.#rows[this.rowAt(position)];
      if (
        row !== undefined &&
        rowName(row, this.folder).slice(0, typed.length).toLocaleLowerCase() === wanted
      )
        return position;
    }
    return null;
  }

  /** Sorts what is loaded, or goes back to the service's order; only a complete folder should be sorted. */
  setSort(sort: SortOrder | null, foldersFirst: boolean): void {
    // Where folders stand says nothing about the service's order.
    const before = this.#sort;
    const isSameOrder = sort?.column === before?.column && sort?.descending === before?.descending;
    const isSame = isSameOrder && (sort === null || foldersFirst === this.#sortFoldersFirst);
    this.#sort = sort;
    this.#sortFoldersFirst = foldersFirst;
    if (isSame) return;
    this.#sorted = null;
    this.#rearrange();
  }

  setFilter(filter: string): void {
    if (filter === this.#filter) return;
    this.#filter = filter;
    this.#rearrange();
  }

  #rearrange(): void {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    if (this.#sort === null && this.#filter === '') {
      this.#sorted = null;
      this.#shown = null;
      this.#busy = null;
      this.#isReady = true;
      this.#changed();
      return;
    }
    const sorting = this.#beginSort(signal);
    // Few rows stand in their order at once, and are never seen in another one.
    if (sorting instanceof Uint32Array) this.#sorted = sorting;
    if (sorting instanceof Promise || this.#filter !== '') void this.#arrange(sorting, signal);
    else this.#show(this.#sorted);
  }

  /** The rows in the order that is wanted; null: they stand in it. */
  #beginSort(signal: AbortSignal): Sorting {
    if (this.#sort === null || this.#sorted?.length === this.#rows.length) return null;
    const request = { rows: this.#rows.slice(), folder: this.folder, sort: this.#sort, signal };
    return this.#sorter({ ...request, foldersFirst: this.#sortFoldersFirst });
  }

  async #arrange(sorting: Sorting, signal: AbortSignal): Promise<void> {
    if (sorting instanceof Promise) {
      this.#busy = 'sorting';
      this.#changed();
      try {
        const sorted = await sorting;
        if (signal.aborted) return;
        this.#sorted = sorted;
      } catch (thrown) {
        if (signal.aborted) return;
        // Without an order the rows stay as they are, and the header says so.
        this.#sort = null;
        this.#sorted = null;
        reportError(thrown);
      }
    }
    const shown = this.#filter === '' ? this.#sorted : await this.#matching(signal);
    if (!signal.aborted) this.#show(shown);
  }

  #show(shown: number[] | Uint32Array | null): void {
    this.#shown = shown;
    this.#busy = null;
    this.#isReady = true;
    this.#changed();
  }

  async #matching(signal: AbortSignal): Promise<number[]> {
    const matching: number[] = [];
    for (let from = 0; from < this.#rows.length; from += rowsPerSlice) {
      if (from > 0) {
        this.#busy = 'filtering';
        await nextTask();
      }
      if (signal.aborted) return matching;
      this.#matchInto(matching, from, Math.min(this.#rows.length, from + rowsPerSlice));
    }
    return matching;
  }

  #matchInto(matching: number[], from: number, to: number): void {
    const wanted = this.#filter.toLocaleLowerCase();
    for (let at = from; at < to; at += 1) {
      const number = this.#sorted === null ? at : (this.#sorted[at] ?? at);
      const row = this.#rows[number];
      if (row !== undefined && rowName(row, this.folder).toLocaleLowerCase().includes(wanted))
        matching.push(number);
    }
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
