import type { SortColumn, SortOrder } from './folder-columns.ts';
import { unpackKeys, type PackedKeys } from '../../../../shared/packed/packed-keys.ts';

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
  readonly isFolder: Uint8Array;
  readonly numbers: Float64Array;
  readonly keys: PackedKeys | readonly string[];
}

export interface SortInput extends SortHead, SortValues {
  /** Returns the names. Called only if rows have equal values. */
  readonly names: () => readonly string[];
}

/** Collects pieces until the rows are sorted. */
export class SortRows {
  readonly #folder: string;
  readonly #pieces: SortPiece[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(piece: SortPiece): void {
    this.#pieces.push(piece);
  }

  sorted(head: SortHead): Uint32Array {
    const pieces = this.#pieces;
    const isFolder = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.isFolder.length, 0));
    const numbers = new Float64Array(isFolder.length);
    let from = 0;
    for (const piece of pieces) {
      isFolder.set(piece.isFolder, from);
      numbers.set(piece.numbers, from);
      from += piece.isFolder.length;
    }
    const texts = pieces.flatMap((piece) => piece.texts);
    return sortedRows({ ...head, isFolder, numbers, texts, names: () => this.#names() });
  }

  #names(): readonly string[] {
    const names: string[] = [];
    for (const { keys, isFolder } of this.#pieces)
      for (const [at, key] of ('starts' in keys ? unpackKeys(keys) : keys).entries())
        names.push(key.slice(this.#folder.length, isFolder[at] === 1 ? -1 : undefined));
    return names;
  }
}

/**
 * Returns the rows' numbers sorted by the column, then by name in natural order (`file2` before `file10`), then in the service's
 * order. If requested, folders come first in both directions.
 */
export function sortedRows(input: SortInput): Uint32Array {
  const { sort, isFolder, foldersFirst } = input;
  const collator = new Intl.Collator(input.locale, { numeric: true });
  const values = valuesOf(input, collator);
  const nameDirection = sort.column === 'name' && sort.descending ? -1 : 1;
  // A plain array, whose sort is faster than a typed array's for almost sorted input, such as a listing.
  const rows = Array.from(values, (_, row) => row);
  let names: readonly string[] | null = null;
  rows.sort((a, b) => {
    if (foldersFirst) {
      const kinds = (isFolder[b] ?? 0) - (isFolder[a] ?? 0);
      if (kinds !== 0) return kinds;
    }
    const left = values[a] ?? 0;
    const right = values[b] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
    names ??= input.names();
    const order = collator.compare(names[a] ?? '', names[b] ?? '');
    return order === 0 ? a - b : nameDirection * order;
  });
  return Uint32Array.from(rows);
}

/** Returns a number per row by which the rows are sorted in ascending order: all 0 for the column of names. */
function valuesOf({ sort, isFolder, numbers, texts }: SortInput, collator: Intl.Collator): Float64Array {
  const factor = sort.descending ? -1 : 1;
  if (sort.column === 'name') return new Float64Array(isFolder.length);
  if (!isTextColumn(sort.column)) {
    const values = new Float64Array(isFolder.length);
    for (let row = 0; row < values.length; row += 1) {
      const value = numbers[row] ?? Number.NaN;
      // Unknown values sort first, and last in descending order.
      values[row] = factor * (Number.isNaN(value) ? -Infinity : value);
    }
    return values;
  }
  const ranks = new Map<string, number>();
  let before: string | null = null;
  for (const text of [...new Set(texts)].toSorted(collator.compare)) {
    const isSame = before !== null && collator.compare(before, text) === 0;
    ranks.set(text, isSame ? (ranks.get(before ?? '') ?? 0) : ranks.size);
    before = text;
  }
  return Float64Array.from(texts, (text) => factor * (ranks.get(text) ?? 0));
}
