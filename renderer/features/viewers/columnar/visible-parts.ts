import type { TextPart } from './columnar-file.ts';
import type { TableReader } from './table-reader.ts';

/** Parts kept of each column, besides those of visible rows. */
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
  /** undefined: not loaded yet. */
  readonly textAt: (column: number, row: number) => string | null | undefined;
  readonly isTooLarge: (column: number) => boolean;
  /** Loads the missing parts of the visible rows. */
  readonly load: (columns: readonly number[], signal: AbortSignal) => void;
  readonly show: (firstRow: number, lastRow: number) => void;
}

/** null: the column is too large to be read here. */
type Parts = readonly (TextPart | null)[];

/** Loads the parts of visible rows, column by column, and evicts parts of hidden rows. */
export function visibleParts({ file, onChange, onError }: VisiblePartsOptions): VisibleParts {
  const partsByColumn = new Map<number, Parts>();
  const loading = new Map<number, AbortSignal>();
  let first = 0;
  let last = 40;

  const partsOf = (column: number): Parts => partsByColumn.get(column) ?? [];
  const firstMissing = (column: number): number | null => {
    const parts = partsOf(column);
    for (let row = first; row <= last && row < file.rowCount; row += 1)
      if (!parts.some((part) => part === null || holds(part, row))) return row;
    return null;
  };
  /** Never evicts a part with a visible row: the load would fetch it again, without end. */
  const withPart = (parts: Parts, added: TextPart | null): Parts => {
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
        partsByColumn.set(column, withPart(partsOf(column), part));
        onChange();
        if (part === null || !holds(part, missing)) break;
      }
    } catch (thrown) {
      if (!signal.aborted) onError(thrown);
    } finally {
      if (loading.get(column) === signal) loading.delete(column);
    }
  };
  return {
    textAt: (column, row) => {
      const part = partsOf(column).find((candidate) => candidate !== null && holds(candidate, row));
      return part === undefined || part === null ? undefined : (part.texts[row - part.firstRow] ?? null);
    },
    isTooLarge: (column) => partsOf(column).includes(null),
    load: (columns, signal) => {
      for (const column of columns) void loadColumn(column, signal);
    },
    show: (firstRow, lastRow) => {
      first = firstRow;
      last = lastRow;
    },
  };
}

function holds(part: TextPart, row: number): boolean {
  return row >= part.firstRow && row < part.firstRow + part.texts.length;
}

function isWithin(part: TextPart | null, first: number, last: number): boolean {
  return part === null || (part.firstRow <= last && part.firstRow + part.texts.length > first);
}
