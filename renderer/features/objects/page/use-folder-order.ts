import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Columns } from '../../../rpc/use-columns.ts';
import { nextOrder } from '../../../ui/table/columns.ts';
import { useStable } from '../../../ui/use-stable.ts';
import type { FolderModel } from '../folder/folder-model.ts';
import { serviceOrder, type FolderColumn, type SortOrder } from '../rows/folder-columns.ts';
import { useVisitState } from '../views/use-arrival.ts';
import type { Viewport } from '../views/use-viewport.ts';

interface OrderOptions {
  readonly model: FolderModel | null;
  /** True if the whole folder is loaded. Before, its rows stay in the order of the service. */
  readonly isComplete: boolean;
  /** The chosen order, or null for the order of the service. */
  readonly sort: SortOrder | null;
  readonly foldersFirst: boolean;
  readonly setOrder: Columns<FolderColumn>['setOrder'];
  readonly viewport: Viewport;
  /** The number of the focused row, or null. */
  readonly focus: number | null;
}

/** Sorts the rows of a folder, and keeps the focused or topmost row visible meanwhile. */
export function useFolderOrder(visit: number, options: OrderOptions) {
  const { model, isComplete, sort, foldersFirst, setOrder, focus } = options;
  const { showRow, topPx, topPosition } = options.viewport;
  /** The column to sort by once the whole folder is loaded, or null. */
  const [wanted, setWanted] = useVisitState<FolderColumn | null>(visit, null);
  const anchor = useRef<{ readonly row: number; readonly focus: number | null } | null>(null);
  useEffect(() => {
    if (wanted === null || !isComplete) return;
    setOrder(nextOrder(null, wanted));
    setWanted(null);
  }, [wanted, isComplete, setOrder, setWanted]);
  /** The order of the rows on the screen. */
  const active = isComplete ? sort : null;
  const { column: sortedBy = null, descending = false } = active ?? {};
  useLayoutEffect(() => {
    if (model === null) return;
    if (model.sort === null && sortedBy !== null && topPx() > 0)
      anchor.current = { row: focus ?? model.rowAt(topPosition()), focus };
    model.setSort(sortedBy === null ? null : { column: sortedBy, descending }, foldersFirst);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the focus is read only when the order changes
  }, [model, sortedBy, descending, foldersFirst, topPx, topPosition]);
  // After sorting, scrolls to the row that was on top or focused before, or that got focus meanwhile.
  useLayoutEffect(() => {
    if (anchor.current === null || model === null || model.busy !== null) return;
    const { row, focus: before } = anchor.current;
    showRow(model.positionOf(focus === before ? row : (focus ?? row)));
    anchor.current = null;
  });
  const { sortBy, asServed } = useStable({
    sortBy: (column: FolderColumn) => {
      if (isComplete) setOrder(nextOrder(sort === null ? null : { by: sort.column, ...sort }, column));
      else setWanted(column);
    },
    /** Returns to the order of the service. */
    asServed: () => setOrder(serviceOrder),
  });
  return { active, wanted, forgetWanted: () => setWanted(null), sortBy, asServed };
}
