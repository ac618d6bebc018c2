import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { WalkSort, WalkStatus } from '../../../shared/models/walks.ts';
import { maxSelectedItems } from '../../../shared/models/selection-limit.ts';
import { rpc } from '../../rpc/client.ts';
import { isCancelled } from '../../rpc/errors.ts';
import type { ReadRange } from '../../ui/table/range-rows.ts';
import { KeyedSelection, keyedSource } from '../../ui/table/keyed-selection.ts';
import type { Modifiers } from '../../ui/table/selection.ts';
import { useRangeRows, type RangeRowsInView } from '../../ui/table/use-range-rows.ts';
import { isRowSelected, resultRow, type ResultSelection } from './result-selection.ts';

export const foundOrder: WalkSort = { by: 'found', descending: false };

export interface Results {
  readonly rows: RangeRowsInView<ObjectEntry>;
  readonly selection: ResultSelection;
  readonly active: number;
  readonly activate: (index: number, how: Modifiers) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  /** Call it after the order of the rows has changed. */
  readonly reordered: () => void;
  readonly isSelected: (index: number) => boolean;
}

/** Returns the results of one walk (a listing) and their selection. For another walk, mount the component again. */
export function useResults(status: WalkStatus, sort: WalkSort, onError: (thrown: unknown) => void): Results {
  const { walkId } = status;
  const read = useMemo<ReadRange<ObjectEntry>>(
    () => (range, signal) => rpc.walks.read({ walkId, ...range, sort }, { signal }),
    [walkId, sort],
  );
  // A restarted walk has fewer matches than before, so the rows loaded so far are dropped.
  const { isSequential, state, matches } = status;
  const version = `${String(isSequential)}:${state}:${String(matches)}`;
  const rows = useRangeRows(read, version, sort.by === 'found' && !isSequential);
  const { rowAt, total, range } = rows;

  const [list] = useState(() => new KeyedSelection<ObjectEntry>());
  const { selected, active } = useStore(list.store);
  const [isAll, setIsAll] = useState(false);
  const selection = useMemo<ResultSelection>(
    () => (isAll ? { kind: 'all' } : { kind: 'some', rows: selected }),
    [isAll, selected],
  );
  const source = useMemo(
    () =>
      keyedSource({ rowAt, range }, resultRow, (thrown) => {
        if (!isCancelled(thrown)) onError(thrown);
      }),
    [rowAt, range, onError],
  );

  const activate = useCallback(
    (index: number, how: Modifiers) => {
      const row = rowAt(index);
      if (isAll && how.keep) {
        list.point(index);
        // With everything selected, extending the selection changes nothing.
        if (how.range) return;
        if (row !== null && total <= maxSelectedItems) {
          // Deselects this row. From now on, the selection lists the keys of all other rows.
          list.chooseAfter(async (signal) => {
            const found = await range(0, total - 1, signal);
            if (!signal.aborted) setIsAll(false);
            return () => new Map(found.filter(({ key }) => key !== row.key).map(resultRow));
          }, source.onError);
          return;
        }
      }
      setIsAll(false);
      list.activate(index, how, source);
    },
    [list, rowAt, range, total, isAll, source],
  );

  const selectAll = useCallback(() => {
    list.choose(() => new Map());
    setIsAll(true);
  }, [list]);
  const clear = useCallback(() => {
    list.choose(() => new Map());
    setIsAll(false);
  }, [list]);
  const reordered = useCallback(() => list.reordered(), [list]);
  const isSelected = useCallback(
    (index: number) => {
      const row = rowAt(index);
      return row !== null && isRowSelected(selection, row);
    },
    [rowAt, selection],
  );
  return { rows, selection, active, activate, selectAll, clear, reordered, isSelected };
}
