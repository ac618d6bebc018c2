import type { ColumnProblem, TextPart } from './columnar-file.ts';
import type { TableReader } from './table-reader.ts';

/** Number of parts kept per column in addition to those of visible rows. */
const maxHiddenParts = 4;

/** The rows and the reader of an open file. */
export interface OpenTable {
  readonly rowCount: number;
  readonly partAt: TableReader['partAt'];
}

interface VisiblePartsOptions {
  readonly file: OpenTable;
  readonly onChange: () => void;
  readonly onError: (thrown: unknown) => void;
}

/** The parts of columns whose rows are visible. */
export interface VisibleParts {
  /** Returns null for a row without a value, and undefined for a value that is not loaded yet or not shown. */
  readonly textAt: (column: number, row: number) => string | null | undefined;
  /** Returns true if the value is loaded but cannot be shown. */
  readonly isHidden: (column: number, row: number) => boolean;
  /** Returns why some values in a column are not shown, or null if all are shown. */
  readonly problemOf: (column: number) => ColumnProblem | null;
  /** Loads the missing parts of the visible rows. */
  readonly load: (columns: readonly number[], signal: AbortSignal) => void;
  readonly show: (firstRow: number, lastRow: number) => void;
}

type Parts = readonly TextPart[];

/** Loads the parts of visible rows, column by column, and evicts parts of hidden rows. */
export function visibleParts({ file, onChange, onError }: VisiblePartsOptions): VisibleParts {
  const partsByColumn = new Map<number, Parts>();
  const loading = new Map<number, AbortSignal>();
  let first = 0;
  let last = 40;

  const partsOf = (column: number): Parts => partsByColumn.get(column) ?? [];
  const partAt = (column: number, row: number): TextPart | undefined =>
    partsOf(column).find((part) => holds(part, row));
  const textAt = (column: number, row: number): string | null | undefined => {
    const part = partAt(column, row);
    return part?.texts[row - part.firstRow];
  };
  const firstMissing = (column: number): number | null => {
    const parts = partsOf(column);
    for (let row = first; row <= last && row < file.rowCount; row += 1)
      if (!parts.some((part) => holds(part, row))) return row;
    return null;
  };
  /** Adds a part and evicts hidden parts. Keeps a part with a visible row, which would otherwise be fetched again endlessly. */
  const withPart = (parts: Parts, added: TextPart): Parts => {
    const hidden = new Set(parts.filter((part) => !isWithin(part, first, last)).slice(-maxHiddenParts));
    return [...parts.filter((part) => isWithin(part, first, last) || hidden.has(part)), added];
  };
  const loadColumn = async (column: number, signal: AbortSignal): Promise<void> => {
    if (loading.get(column)?.aborted === false) return;
    loading.set(column, signal);
    try {
      for (;;) {
        const missing = firstMissing(column);
        if (missing === null) break;
        const part = await file.partAt(column, missing, signal);
        signal.throwIfAborted();
        if (part === null) break;
        partsByColumn.set(column, withPart(partsOf(column), part));
        onChange();
        if (!holds(part, missing)) break;
      }
    } catch (thrown) {
      if (!signal.aborted) onError(thrown);
    } finally {
      if (loading.get(column) === signal) loading.delete(column);
    }
  };
  return {
    textAt,
    isHidden: (column, row) => partAt(column, row) !== undefined && textAt(column, row) === undefined,
    problemOf: (column) => partsOf(column).find(({ problem }) => problem !== null)?.problem ?? null,
    load: (columns, signal) => {
      for (const column of columns) void loadColumn(column, signal);
    },
    show: (firstRow, lastRow) => {
      first = firstRow;
      last = lastRow;
    },
  };
}

function holds({ firstRow, rowCount }: TextPart, row: number): boolean {
  return row >= firstRow && row < firstRow + rowCount;
}

function isWithin({ firstRow, rowCount }: TextPart, first: number, last: number): boolean {
  return firstRow <= last && firstRow + rowCount > first;
}
