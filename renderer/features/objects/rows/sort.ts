import type { SortColumn, SortOrder } from './folder-columns.ts';
import { unpackKeys, type PackedKeys } from './packed-keys.ts';

const numberColumns: ReadonlySet<SortColumn> = new Set(['size', 'modified']);

/** Returns true if the column is sorted by text, like all columns except name, size and time. */
export function isTextColumn(column: SortColumn): boolean {
  return column !== 'name' && !numberColumns.has(column);
}

/** The options of a sort. */
export interface SortHead {
  readonly sort: SortOrder;
  readonly foldersFirst: boolean;
  readonly locale: string | undefined;
}

/** The values of one column. */
interface SortValues {
  /** 1 for a folder. */
  readonly isFolder: ArrayLike<number> & Iterable<number>;
  /** The sizes or times, with NaN for unknown values. Empty for any other column. */
  readonly numbers: ArrayLike<number> & Iterable<number>;
  /** The texts of the cells for a text column. Empty for any other column. */
  readonly texts: readonly string[];
}

/** Rows of a folder as sent to the worker. Packed keys are bytes instead of strings. */
export interface SortPiece extends SortValues {
  readonly keys: PackedKeys | readonly string[];
}

export interface SortInput extends SortHead, SortValues {
  readonly names: readonly string[];
}

/** Collects pieces until the rows are sorted. */
export class SortRows {
  readonly #folder: string;
  readonly #isFolder: number[] = [];
  readonly #names: string[] = [];
  readonly #numbers: number[] = [];
  readonly #texts: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  add({ isFolder, keys, numbers, texts }: SortPiece): void {
    const unpacked = 'starts' in keys ? unpackKeys(keys) : keys;
    for (const [at, key] of unpacked.entries())
      this.#names.push(key.slice(this.#folder.length, isFolder[at] === 1 ? -1 : undefined));
    for (const value of isFolder) this.#isFolder.push(value);
    for (const value of numbers) this.#numbers.push(value);
    for (const value of texts) this.#texts.push(value);
  }

  sorted(head: SortHead): Uint32Array {
    const values = { isFolder: this.#isFolder, numbers: this.#numbers, texts: this.#texts };
    return sortedRows({ ...head, ...values, names: this.#names });
  }
}

function compareNumbers(a: number, b: number): number {
  // Unknown values sort first.
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
  return Number.isNaN(b) ? 1 : a - b;
}

function byColumn(input: SortInput, collator: Intl.Collator): (a: number, b: number) => number {
  const { column } = input.sort;
  if (column === 'name') return () => 0;
  if (isTextColumn(column)) return (a, b) => collator.compare(input.texts[a] ?? '', input.texts[b] ?? '');
  return (a, b) => compareNumbers(input.numbers[a] ?? Number.NaN, input.numbers[b] ?? Number.NaN);
}

/**
 * Returns the rows' numbers sorted by the column, then by name in natural order (`file2` before `file10`), then in the service's
 * order. If requested, folders come first in both directions.
 */
export function sortedRows(input: SortInput): Uint32Array {
  const collator = new Intl.Collator(input.locale, { numeric: true });
  const column = byColumn(input, collator);
  const direction = input.sort.descending ? -1 : 1;
  // Uses a plain array, whose sort is faster than a typed array's for almost sorted input, such as a listing.
  const rows = input.names.map((_, row) => row);
  rows.sort((a, b) => {
    if (input.foldersFirst) {
      const kinds = (input.isFolder[b] ?? 0) - (input.isFolder[a] ?? 0);
      if (kinds !== 0) return kinds;
    }
    const order = column(a, b);
    if (order !== 0) return order * direction;
    const names = collator.compare(input.names[a] ?? '', input.names[b] ?? '');
    if (names !== 0) return input.sort.column === 'name' ? names * direction : names;
    return a - b;
  });
  return Uint32Array.from(rows);
}
