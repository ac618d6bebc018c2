import { assertNever } from '../../../shared/assert-never.ts';

export type SortColumn = 'name' | 'size' | 'modified' | 'storageClass' | 'type' | 'etag';

export interface SortOrder {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** How to sort. */
export interface SortHead {
  readonly sort: SortOrder;
  readonly foldersFirst: boolean;
  readonly locale: string | undefined;
}

/** What sorting needs to know of the rows, column by column, so that it can cross to a worker. */
export interface SortPiece {
  /** 1 for a folder. */
  readonly isFolder: ArrayLike<number> & Iterable<number>;
  readonly names: readonly string[];
  /** Sizes or times; empty where the column has neither. NaN: not known. */
  readonly numbers: ArrayLike<number> & Iterable<number>;
  /** What stands in a column of text; empty for any other one. */
  readonly texts: readonly string[];
}

export type SortInput = SortHead & SortPiece;

function compareNumbers(a: number, b: number): number {
  // What is not known comes first, as the least.
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
  return Number.isNaN(b) ? 1 : a - b;
}

function byColumn(input: SortInput, collator: Intl.Collator): (a: number, b: number) => number {
  const { column } = input.sort;
  switch (column) {
    case 'name':
      return () => 0;
    case 'size':
    case 'modified':
      return (a, b) => compareNumbers(input.numbers[a] ?? Number.NaN, input.numbers[b] ?? Number.NaN);
    case 'storageClass':
    case 'type':
    case 'etag':
      return (a, b) => collator.compare(input.texts[a] ?? '', input.texts[b] ?? '');
    default:
      return assertNever(column);
  }
}

/**
 * The rows' numbers in the order asked for: by the column, then by name as people count (`file2` before `file10`),
 * then as the service had them. Folders come first where that is wanted, in both directions.
 */
export function sortedRows(input: SortInput): Uint32Array {
  const collator = new Intl.Collator(input.locale, { numeric: true });
  const column = byColumn(input, collator);
  const direction = input.sort.descending ? -1 : 1;
  // Not a typed array, whose sort gains nothing from rows that stand almost in their order: a listing's do.
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
