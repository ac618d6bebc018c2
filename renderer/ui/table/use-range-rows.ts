import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { RangeRows, type RangeState, type ReadRange } from './range-rows.ts';

export interface RangeRowsInView<T> extends RangeState<T> {
  readonly onRange: (first: number, last: number) => void;
  readonly range: (first: number, last: number, signal: AbortSignal) => Promise<readonly T[]>;
  readonly refresh: () => void;
  readonly cachedRows: () => readonly T[];
  /** Returns the index of the first cached row that passes the test, or -1. */
  readonly indexOf: (test: (row: T) => boolean) => number;
  readonly revise: (change: (row: T) => T) => void;
}

interface ListState<T> {
  readonly read: ReadRange<T>;
  readonly isAppendOnly: boolean;
  readonly list: RangeRows<T>;
  /** The previous list, shown until the list has read its first rows, to prevent flicker. */
  readonly before: RangeRows<T> | null;
}

/**
 * Reads a list in the core by ranges. A different `read` means a different list (order or filter) and starts over. A different
 * `version` means that rows may have been added or changed.
 */
export function useRangeRows<T>(
  read: ReadRange<T>,
  version: string,
  isAppendOnly: boolean,
): RangeRowsInView<T> {
  const [listState, setListState] = useState<ListState<T>>(() => ({
    read,
    isAppendOnly,
    list: new RangeRows(read, isAppendOnly),
    before: null,
  }));
  if (listState.read !== read || listState.isAppendOnly !== isAppendOnly)
    setListState({ read, isAppendOnly, list: new RangeRows(read, isAppendOnly), before: listState.list });
  const { list, before } = listState;
  const state = useStore(list.store);
  useEffect(() => {
    void list.refresh();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each version
  }, [list, version]);
  const onRange = useCallback((first: number, last: number) => list.show(first, last), [list]);
  const range = useCallback(
    (first: number, last: number, signal: AbortSignal) => list.range(first, last, signal),
    [list],
  );
  const refresh = useCallback(() => void list.refresh(), [list]);
  const getCachedRows = useCallback(() => list.cachedRows(), [list]);
  const revise = useCallback((change: (row: T) => T) => list.revise(change), [list]);
  const shown = state.hasRead || state.error !== null || before === null ? list : before;
  const indexOf = useCallback((test: (row: T) => boolean) => shown.indexOf(test), [shown]);
  return { ...shown.state(), onRange, range, refresh, cachedRows: getCachedRows, indexOf, revise };
}
