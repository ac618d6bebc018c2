import { createStore } from 'zustand/vanilla';
import type { UnreadableEntry } from '../../../../shared/models/objects.ts';
import type { RowOrder } from '../../../ui/table/selection.ts';
import { nextTask } from '../../../ui/next-task.ts';
import { RowStore } from '../rows/row-store.ts';
import { rowName, type FolderRow, type RowsPage } from '../rows/row.ts';
import type { SortOrder } from '../rows/folder-columns.ts';
import type { Sorter } from '../rows/sorter.ts';

const rowsPerSlice = 20_000;

/** A sort in progress, or null if the rows are sorted already. */
type Sorting = ReturnType<Sorter> | null;

/**
 * The rows of one folder and their order, outside React. Appending costs time for the new page only. Rows never move or leave;
 * their number is their index in the service's order.
 */
export class FolderModel implements RowOrder {
  readonly folder: string;
  #rows = new RowStore();
  readonly #sorter: Sorter;
  #pageCount = 0;
  /** Counts the changes of rows and order. */
  readonly changes = createStore<{ readonly version: number }>()(() => ({ version: 0 }));
  /** The numbers of all rows in sorted order, or null for the service's order. */
  #sorted: Uint32Array | null = null;
  /** The numbers of the shown rows in order. Null if all rows are shown in the service's order. */
  #shown: number[] | Uint32Array | null = null;
  #sort: SortOrder | null = null;
  #sortFoldersFirst = false;
  #filter = '';
  #busy: 'sorting' | 'filtering' | null = null;
  #isReady = false;
  #work = new AbortController();
  #unreadable: readonly UnreadableEntry[] = [];
  #foreign: RowsPage['foreign'] = { count: 0, example: null };

  /** The previous model of a folder that was listed again. Its order and filter are taken over. */
  #before: FolderModel | null;

  constructor(folder: string, sorter: Sorter, before: FolderModel | null = null) {
    this.folder = folder;
    this.#sorter = sorter;
    this.#before = before;
    if (before === null) return;
    // Keeps only one predecessor. Otherwise, each refresh would lengthen a chain of old models.
    before.#before = null;
    this.#sort = before.#sort;
    this.#sortFoldersFirst = before.#sortFoldersFirst;
    this.#filter = before.#filter;
  }

  get before(): FolderModel | null {
    return this.#before;
  }

  /** True once the first rows are sorted and filtered as requested. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Adds the rows of pages that are new since the last call. */
  addPages(pages: readonly RowsPage[]): void {
    if (pages.length < this.#pageCount) this.#dropPages(pages);
    if (pages.length === this.#pageCount) return;
    // True for the first rows of a refreshed folder, to which the order and filter of the previous model apply.
    const isInherited = this.#pageCount === 0 && (this.#sort !== null || this.#filter !== '');
    const before = this.#rows.count;
    for (; this.#pageCount < pages.length; this.#pageCount += 1) {
      const page = pages[this.#pageCount];
      if (page === undefined) continue;
      this.#rows.add(page.rows);
      this.#addOmitted(page);
    }
    if (this.#filter !== '' && Array.isArray(this.#shown) && this.#busy === null)
      this.#matchInto(this.#shown, before, this.#rows.count);
    // Only complete folders are sorted. If further pages arrive anyway, all rows are arranged again.
    else if (isInherited || this.#sorted !== null || this.#busy !== null) this.#rearrange();
    else this.#isReady = true;
    this.#changed();
  }

  /** Frees the rows of an evicted model. */
  release(): void {
    this.#work.abort();
    this.#rows = new RowStore();
    this.#sorted = null;
    this.#shown = null;
    this.#before = null;
    this.#busy = null;
    this.#changed();
  }

  /** Entries of the listing that could not be parsed and therefore have no row. */
  get unreadable(): readonly UnreadableEntry[] {
    return this.#unreadable;
  }

  /** Entries outside the folder, which therefore have no row. */
  get foreign(): RowsPage['foreign'] {
    return this.#foreign;
  }

  get count(): number {
    return this.#shown === null ? this.#rows.count : this.#shown.length;
  }

  /** The number of loaded rows, regardless of the filter. */
  get loadedCount(): number {
    return this.#rows.count;
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

  /** Returns the number of the row shown at a position. */
  rowAt(position: number): number {
    return this.#shown === null ? position : (this.#shown[position] ?? position);
  }

  positionOf(row: number): number {
    if (this.#shown === null) return row < this.#rows.count ? row : -1;
    return this.#shown.indexOf(row);
  }

  row(number: number): FolderRow | undefined {
    return this.#rows.row(number);
  }

  /** Returns the row as an object that stays the same for all later calls, so that it can be the key of a `WeakMap`. */
  hold(number: number): FolderRow | undefined {
    return this.#rows.hold(number);
  }

  key(number: number): string | undefined {
    return this.#rows.key(number);
  }

  isFolder(number: number): boolean {
    return this.#rows.isFolder(number);
  }

  sizeBytes(number: number): number {
    return this.#rows.sizeBytes(number);
  }

  /** Returns the number of the row with this kind and key, or -1 if it is not loaded. */
  find(kind: FolderRow['kind'], key: string): number {
    return this.#rows.find(kind, key);
  }

  nameOf(row: FolderRow): string {
    return rowName(row, this.folder);
  }

  /** Returns the next position, wrapping around, at which a name starts with the typed text. */
  typeAhead(typed: string, fromPosition: number): number | null {
    const typedLower = typed.toLocaleLowerCase();
    const { count } = this;
    for (let step = 0; step < count; step += 1) {
      const position = (fromPosition + step) % count;
      if (this.#nameOf(this.rowAt(position)).slice(0, typed.length).toLocaleLowerCase() === typedLower)
        return position;
    }
    return null;
  }

  /** Sorts the loaded rows, or restores the service's order for null. Call it only for a complete folder. */
  setSort(sort: SortOrder | null, foldersFirst: boolean): void {
    // Without a sort order, `foldersFirst` has no effect.
    const before = this.#sort;
    const isSameOrder = sort?.column === before?.column && sort?.descending === before?.descending;
    const isSame = isSameOrder && (sort === null || foldersFirst === this.#sortFoldersFirst);
    this.#sort = sort;
    this.#sortFoldersFirst = foldersFirst;
    if (isSame) return;
    this.#sorted = null;
    this.#rearrange();
  }

  /** Sorts again after values in this column have changed. */
  resort(column: SortOrder['column']): void {
    if (this.#sort?.column !== column) return;
    this.#sorted = null;
    this.#rearrange();
  }

  setFilter(filter: string): void {
    if (filter === this.#filter) return;
    this.#filter = filter;
    this.#rearrange();
  }

  /**
   * Drops all pages but these, so that the pages listed instead are added. They may end at other keys. The rows stay, and repeated
   * rows are skipped.
   */
  #dropPages(pages: readonly RowsPage[]): void {
    this.#pageCount = pages.length;
    this.#unreadable = [];
    this.#foreign = { count: 0, example: null };
    for (const page of pages) this.#addOmitted(page);
  }

  /** Adds the entries of a page that have no row. */
  #addOmitted({ unreadable, foreign }: RowsPage): void {
    if (unreadable.length > 0) this.#unreadable = [...this.#unreadable, ...unreadable];
    const { count, example } = this.#foreign;
    if (foreign.count > 0)
      this.#foreign = { count: count + foreign.count, example: example ?? foreign.example };
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
    // Short lists are sorted synchronously, so they never appear unsorted.
    if (sorting instanceof Uint32Array) this.#sorted = sorting;
    if (sorting instanceof Promise || this.#filter !== '') void this.#arrange(sorting, signal);
    else this.#show(this.#sorted);
  }

  /** Sorts the rows as requested. Returns null if no sort is needed. */
  #beginSort(signal: AbortSignal): Sorting {
    if (this.#sort === null || this.#sorted?.length === this.#rows.count) return null;
    const { count, pages } = this.#rows;
    const rows = { count, pages, row: (number: number) => this.#rows.peek(number) };
    const request = { rows, folder: this.folder, sort: this.#sort, signal };
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
        // Falls back to the service's order, which the header then shows.
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
    for (let from = 0; from < this.#rows.count; from += rowsPerSlice) {
      if (from > 0) {
        this.#busy = 'filtering';
        await nextTask();
      }
      if (signal.aborted) return matching;
      this.#matchInto(matching, from, Math.min(this.#rows.count, from + rowsPerSlice));
    }
    return matching;
  }

  #matchInto(matching: number[], from: number, to: number): void {
    const filterLower = this.#filter.toLocaleLowerCase();
    for (let at = from; at < to; at += 1) {
      const number = this.#sorted === null ? at : (this.#sorted[at] ?? at);
      if (this.#nameOf(number).toLocaleLowerCase().includes(filterLower)) matching.push(number);
    }
  }

  /** Returns the row's name within the folder. */
  #nameOf(number: number): string {
    const key = this.#rows.key(number) ?? '';
    return key.slice(this.folder.length, this.#rows.isFolder(number) ? -1 : undefined);
  }

  #changed(): void {
    this.changes.setState(({ version }) => ({ version: version + 1 }));
  }
}
