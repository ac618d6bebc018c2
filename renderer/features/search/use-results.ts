import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { WalkSort, WalkStatus } from '../../../shared/models/walks.ts';
import { maxSelectedItems } from '../../../shared/models/limits.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { isCancelled } from '../../rpc/errors.ts';
import type { ReadRange } from '../../ui/table/range-rows.ts';
import { KeyedSelection, keyedSource, removeRows } from '../../ui/table/keyed-selection.ts';
import type { Modifiers } from '../../ui/table/selection.ts';
import { useRangeRows, type RangeRowsInView } from '../../ui/table/use-range-rows.ts';
import { objectRow, RowKeys, type FolderRow, type RowsInView, type ShownRows } from '../objects/index.ts';
import { absentKeys, isRowSelected, resultRow, type ResultSelection } from './results-model.ts';

export const foundOrder: WalkSort = { by: 'found', descending: false };

/** The maximum number of loaded rows that are searched for a typed name. */
const maxTypeAhead = 20_000;

export interface Results {
  readonly rows: RangeRowsInView<ObjectEntry>;
  readonly selection: ResultSelection;
  /** The position of the focused row, or -1. */
  readonly active: number;
  readonly activate: (index: number, how: Modifiers) => void;
  readonly selectAll: () => void;
  /** Call it after the order of the rows has changed. */
  readonly reordered: () => void;
  /** Replaces the selection by rows, which have been read. */
  readonly choose: (rows: readonly ObjectEntry[]) => void;
  /** Keeps an object selected that has a new key. */
  readonly rename: (key: string, newKey: string) => void;
  /** Returns the selected rows. Empty if all results are selected, since some of them are not loaded. */
  readonly selectedRows: () => readonly FolderRow[];
  /** The results as the list and the gallery draw them. */
  readonly shown: ShownRows;
  /** Returns the selection as the list and the gallery change it. `showRow` scrolls to a position. */
  readonly inView: (showRow: (position: number) => void) => RowsInView;
}

/** Returns the results of one walk (a listing) and their selection. For another walk, mount the component again. */
export function useResults(status: WalkStatus, sort: WalkSort, onError: (thrown: unknown) => void): Results {
  const { walkId } = status;
  const read = useMemo<ReadRange<ObjectEntry>>(
    () => async (range, signal) => await rpc.walks.read({ walkId, ...range, sort }, { signal }),
    [walkId, sort],
  );
  // A restarted walk has fewer matches than before, so the rows loaded so far are dropped.
  const { isSequential, state, matches, changes } = status;
  const version = `${String(isSequential)}:${state}:${String(matches)}:${String(changes)}`;
  const rows = useRangeRows(read, version, sort.by === 'found' && !isSequential && changes === 0);
  const { rowAt, total, range, indexOf } = rows;

  const [list] = useState(() => new KeyedSelection<ObjectEntry>());
  const [keys] = useState(() => new RowKeys());
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

  const choose = useCallback(
    (chosen: readonly ObjectEntry[]) => {
      list.choose(() => new Map(chosen.map(resultRow)));
      setIsAll(false);
    },
    [list],
  );
  const selectAll = useCallback(() => {
    list.choose(() => new Map());
    setIsAll(true);
  }, [list]);
  const clear = useCallback(() => choose([]), [choose]);
  const reordered = useCallback(() => list.reordered(), [list]);
  const rename = useCallback(
    (key: string, newKey: string) => {
      const change = (row: ObjectEntry): ObjectEntry => (row.key === key ? { ...row, key: newKey } : row);
      list.learn((now) => (now.has(key) ? new Map([...now.values()].map(change).map(resultRow)) : now));
    },
    [list],
  );
  useEffect(() => {
    if (changes === 0) return;
    const chosen = [...list.store.getState().selected.keys()];
    if (chosen.length === 0) return;
    sayingFailure(async () => {
      const absent = await absentKeys(chosen, (keys) => rpc.walks.present({ walkId, keys: [...keys] }));
      list.learn(removeRows(absent));
    });
  }, [list, walkId, changes]);
  const selectedRows = useCallback(
    () => (isAll ? [] : [...list.store.getState().selected.values()].map(objectRow)),
    [isAll, list],
  );

  const shown = useMemo<ShownRows>(() => {
    // Keeps one object per entry, so that a row renders again only when it has changed.
    const rowsOf = new WeakMap<ObjectEntry, FolderRow>();
    const rowOf = (entry: ObjectEntry): FolderRow => {
      const row = rowsOf.get(entry) ?? objectRow(entry);
      rowsOf.set(entry, row);
      return row;
    };
    return {
      count: total,
      filter: '',
      busy: null,
      rowAt: (position) => position,
      positionOf: (row) => (row < total ? row : -1),
      row: (number) => {
        const entry = rowAt(number);
        return entry === null ? undefined : rowOf(entry);
      },
      find: (_kind, key) => indexOf((entry) => entry.key === key),
      nameOf: ({ key }) => lastSegment(key),
    };
  }, [rowAt, total, indexOf]);

  const isSelected = (position: number): boolean => {
    const row = rowAt(position);
    return row !== null && isRowSelected(selection, row);
  };
  const inView = (showRow: (position: number) => void): RowsInView => {
    const typeAhead = (typed: string, from: number): number | null => {
      const typedPrefix = typed.toLocaleLowerCase();
      for (let step = 0; step < Math.min(total, maxTypeAhead); step += 1) {
        const position = (from + step) % total;
        const row = shown.row(position);
        if (row !== undefined && shown.nameOf(row).toLocaleLowerCase().startsWith(typedPrefix))
          return position;
      }
      return null;
    };
    const moveTo = (position: number, how: Modifiers): void => {
      if (how.keep && !how.range) list.point(position);
      else activate(position, how);
      showRow(position);
    };
    return {
      focusPosition: Math.min(active, total - 1),
      isSelected,
      selectedRows,
      click: activate,
      pointAt: (position) => {
        if (position === null) clear();
        else if (isSelected(position)) list.point(position);
        else activate(position, { range: false, keep: false });
      },
      press: (event, steps) =>
        keys.press(event, steps, {
          count: total,
          focusPosition: Math.min(active, total - 1),
          hasSelected: isAll || selected.size > 0,
          moveTo,
          selectAll,
          clear,
          toggleFocused: () => activate(active, { range: false, keep: true }),
          typeAhead,
        }),
    };
  };
  return {
    rows,
    selection,
    active,
    activate,
    selectAll,
    reordered,
    choose,
    rename,
    selectedRows,
    shown,
    inView,
  };
}
