import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { TextPart } from '../columnar/columnar-file.ts';
import type { TableReader } from '../columnar/table-reader.ts';

/** Rows that are scrolled past are not read: only where the table comes to rest. */
const restMs = 120;
/** Of each column. */
const keptParts = 4;

/** The window's data of an open file. */
export interface OpenTable {
  readonly rowCount: number;
  readonly partAt: TableReader['partAt'];
}

/** null: the column is too large to be read here. */
type Parts = readonly (TextPart | null)[];

export interface PartsUse {
  /** undefined: it is not here yet. */
  readonly textAt: (column: number, row: number) => string | null | undefined;
  readonly isTooLarge: (column: number) => boolean;
  readonly onRange: (first: number, last: number) => void;
  /** The first thing that went wrong since the last try. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** The parts of columns that are in sight, read when they are wanted. */
export function useParts(file: OpenTable, columns: readonly number[]): PartsUse {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const [error, setError] = useState<unknown>(null);
  const parts = useRef(new Map<number, Parts>());
  const underWay = useRef(new Set<number>());
  const range = useRef<readonly [number, number]>([0, 40]);
  const aborter = useRef<AbortController | null>(null);

  const readColumn = useCallback(
    async (column: number, signal: AbortSignal) => {
      if (underWay.current.has(column)) return;
      underWay.current.add(column);
      try {
        for (;;) {
          const missing = firstMissing(parts.current.get(column) ?? [], range.current, file.rowCount);
          if (missing === null) break;
          const part = await file.partAt(column, missing, signal);
          signal.throwIfAborted();
          parts.current.set(column, [...(parts.current.get(column) ?? []), part].slice(-keptParts));
          draw();
          if (part === null || part.texts.length === 0) break;
        }
      } catch (thrown) {
        if (!signal.aborted) setError((before: unknown) => before ?? thrown);
      } finally {
        underWay.current.delete(column);
      }
    },
    [file],
  );
  const readAll = useCallback(() => {
    const signal = aborter.current?.signal;
    if (signal === undefined || signal.aborted) return;
    for (const column of columns) void readColumn(column, signal);
  }, [columns, readColumn]);
  useEffect(() => {
    const own = new AbortController();
    aborter.current = own;
    const busy = underWay.current;
    // oxlint-disable-next-line react/set-state-in-effect -- it sets state when the bytes have come
    readAll();
    return () => {
      own.abort();
      busy.clear();
    };
  }, [readAll]);

  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const onRange = useCallback(
    (first: number, last: number) => {
      range.current = [first, last];
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = setTimeout(readAll, restMs);
    },
    [readAll],
  );
  return {
    textAt: (column, row) => {
      const part = (parts.current.get(column) ?? []).find((one) => one !== null && isIn(one, row));
      return part === undefined || part === null ? undefined : (part.texts[row - part.firstRow] ?? null);
    },
    isTooLarge: (column) => parts.current.get(column)?.includes(null) === true,
    onRange,
    error,
    retry: () => {
      setError(null);
      readAll();
    },
  };
}

function isIn(part: TextPart, row: number): boolean {
  return row >= part.firstRow && row < part.firstRow + part.texts.length;
}

function firstMissing(
  parts: Parts,
  [first, last]: readonly [number, number],
  rowCount: number,
): number | null {
  for (let row = first; row <= last && row < rowCount; row += 1)
    if (!parts.some((part) => part === null || isIn(part, row))) return row;
  return null;
}
