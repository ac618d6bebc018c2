import { useCallback, useMemo, useRef, useState } from 'react';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { WalkSort, WalkStatus } from '../../../shared/models/walks.ts';
import { rpc } from '../../rpc/client.ts';
import { isCancelled } from '../../rpc/errors.ts';
import type { ReadRange } from '../../ui/table/range-rows.ts';
import type { Modifiers } from '../../ui/table/selection.ts';
import { useRangeRows, type RangeRowsInView } from '../../ui/table/use-range-rows.ts';
import {
  addedRows,
  isRowSelected,
  mostKeys,
  noneSelected,
  onlyRows,
  toggledRow,
  type ResultSelection,
} from './result-selection.ts';

export const foundOrder: WalkSort = { by: 'found', descending: false };

export interface Results {
  readonly rows: RangeRowsInView<ObjectEntry>;
  readonly selection: ResultSelection;
  readonly active: number;
  readonly activate: (index: number, how: Modifiers) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  /** Changes the order of the rows. */
  readonly reordered: () => void;
  readonly isSelected: (index: number) => boolean;
}

/** The results of one walk and their selection. Another walk needs another component. */
export function useResults(status: WalkStatus, sort: WalkSort, onError: (thrown: unknown) => void): Results {
  const { walkId } = status;
  const read = useMemo<ReadRange<ObjectEntry>>(
    () => (range, signal) => rpc.walks.read({ walkId, ...range, sort }, { signal }),
    [walkId, sort],
  );
  // A walk that started again has fewer matches than before: the rows read so far are invalid.
  const { isSequential, state, matches } = status;
  const version = `${String(isSequential)}:${state}:${String(matches)}`;
  const rows = useRangeRows(read, version, sort.by === 'found' && !isSequential);
  const { rowAt, total, range } = rows;

  const [selection, setSelection] = useState<ResultSelection>(noneSelected);
  const [active, setActive] = useState(-1);
  const anchor = useRef(0);
  /** Answers that come after a later choice are dropped. */
  const turn = useRef(new AbortController());
  const nextTurn = useCallback(() => {
    turn.current.abort();
    turn.current = new AbortController();
    return turn.current.signal;
  }, []);

  // Another order: the keys stay selected, the place of the keyboard means another row.
  const reordered = useCallback(() => {
    setActive(-1);
    anchor.current = 0;
  }, []);

  const choose = useCallback(
    (signal: AbortSignal, work: () => Promise<void>) => {
      work().catch((thrown: unknown) => {
        if (!signal.aborted && !isCancelled(thrown)) onError(thrown);
      });
    },
    [onError],
  );

  const activate = useCallback(
    (index: number, how: Modifiers) => {
      const signal = nextTurn();
      setActive(index);
      if (how.range) {
        const from = Math.min(anchor.current, index);
        const to = Math.max(anchor.current, index);
        choose(signal, async () => {
          const found = await range(from, to, signal);
          if (signal.aborted) return;
          setSelection((now) => (how.keep ? addedRows(now, found) : onlyRows(found)));
        });
        return;
      }
      anchor.current = index;
      const row = rowAt(index);
      if (row === null) {
        choose(signal, async () => {
          const [found] = await range(index, index, signal);
          if (signal.aborted || found === undefined) return;
          setSelection((now) => (how.keep ? toggledRow(now, found) : onlyRows([found])));
        });
        return;
      }
      if (how.keep && selection.kind === 'all' && total <= mostKeys) {
        // All but this one: the others by their keys.
        choose(signal, async () => {
          const found = await range(0, total - 1, signal);
          if (!signal.aborted) setSelection(onlyRows(found.filter(({ key }) => key !== row.key)));
        });
        return;
      }
      setSelection((now) => (how.keep ? toggledRow(now, row) : onlyRows([row])));
    },
    [rowAt, range, total, selection.kind, nextTurn, choose],
  );

  const selectAll = useCallback(() => {
    nextTurn();
    setSelection({ kind: 'all' });
  }, [nextTurn]);
  const clear = useCallback(() => {
    nextTurn();
    setSelection(noneSelected);
  }, [nextTurn]);
  const isSelected = useCallback(
    (index: number) => {
      const row = rowAt(index);
      return row !== null && isRowSelected(selection, row);
    },
    [rowAt, selection],
  );
  return { rows, selection, active, activate, selectAll, clear, reordered, isSelected };
}
