import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { RangeSource } from '../frame/range-source.ts';
import type { TableDescription } from '../columnar/columnar-file.ts';
import type { TableChoice } from '../columnar/columnar-messages.ts';
import { tableReader, type TableReader } from '../columnar/table-reader.ts';
import { type OpenTable, visibleParts, type VisibleParts } from '../columnar/visible-parts.ts';

/** Milliseconds without scrolling after which visible rows are loaded. Rows that are scrolled past are not loaded. */
const restMs = 120;

interface PartsUse extends Pick<VisibleParts, 'textAt' | 'isHidden' | 'problemOf'> {
  readonly onRange: (first: number, last: number) => void;
  /** The first error since the last retry. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** Loads the visible parts of columns on demand. */
export function useParts(file: OpenTable, columns: readonly number[]): PartsUse {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const [error, setError] = useState<unknown>(null);
  const parts = useMemo(
    () =>
      visibleParts({
        file,
        onChange: draw,
        onError: (thrown) => setError((before: unknown) => before ?? thrown),
      }),
    [file],
  );
  const aborter = useRef<AbortController | null>(null);
  const load = useCallback(() => {
    if (aborter.current !== null) parts.load(columns, aborter.current.signal);
  }, [columns, parts]);
  useEffect(() => {
    const controller = new AbortController();
    aborter.current = controller;
    // oxlint-disable-next-line react/set-state-in-effect -- sets state only after the bytes were read
    load();
    return () => {
      controller.abort();
      aborter.current = null;
    };
  }, [load]);

  const loadLater = useDebouncedCallback(load, restMs);
  const onRange = useCallback(
    (first: number, last: number) => {
      parts.show(first, last);
      loadLater();
    },
    [loadLater, parts],
  );
  return {
    ...parts,
    onRange,
    error,
    retry: () => {
      setError(null);
      load();
    },
  };
}

type TableState =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'open';
      readonly table: TableDescription;
      readonly reader: Pick<TableReader, 'partAt' | 'rowAt'>;
    }
  | { readonly kind: 'failed'; readonly thrown: unknown };

/** A table and the function that starts its worker. Pass the same object on every render, or the table is opened again. */
export interface OpenChoice extends TableChoice {
  readonly startWorker: () => Worker;
}

/** Opens a table in a decoder worker. Terminates the worker when the viewer unmounts. */
export function useTable(source: RangeSource, choice: OpenChoice) {
  const [state, setState] = useState<TableState>({ kind: 'loading' });
  const [attempt, again] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const { format, sqlite, startWorker } = choice;
    const reader = tableReader(source, { format, sqlite }, startWorker());
    let isClosed = false;
    const setUnlessClosed = (now: TableState): void => {
      if (!isClosed) setState(now);
    };
    setUnlessClosed({ kind: 'loading' });
    reader.open().then(
      (table) => setUnlessClosed({ kind: 'open', table, reader }),
      (thrown: unknown) => setUnlessClosed({ kind: 'failed', thrown }),
    );
    return () => {
      isClosed = true;
      reader.close();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each attempt starts a new decoder
  }, [source, choice, attempt]);
  return { state, again };
}
