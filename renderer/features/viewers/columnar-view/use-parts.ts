import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { visibleParts, type OpenTable, type VisibleParts } from '../columnar/visible-parts.ts';

/** Milliseconds without scrolling after which visible rows are loaded. Rows that are scrolled past are not loaded. */
const restMs = 120;

export interface PartsUse extends Pick<VisibleParts, 'textAt' | 'isHidden' | 'problemOf'> {
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

  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const onRange = useCallback(
    (first: number, last: number) => {
      parts.show(first, last);
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = setTimeout(load, restMs);
    },
    [load, parts],
  );
  return {
    textAt: parts.textAt,
    isHidden: parts.isHidden,
    problemOf: parts.problemOf,
    onRange,
    error,
    retry: () => {
      setError(null);
      load();
    },
  };
}
