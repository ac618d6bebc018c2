import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import { useIsActivePane } from '../../../ui/keyboard/panes.ts';
import { mayTakeFocus } from '../../../ui/keyboard/keyboard-place.ts';
import { useKeptInSight } from '../../../ui/table/kept-in-sight.ts';
import { scrollToShow } from '../../../ui/table/virtual-scroll.ts';
import type { FolderRow } from '../rows/row.ts';
import { type FolderPlace, type ListNumber, placeId } from '../rows/place.ts';
import type { FolderModel } from '../folder/folder-model.ts';
import type { RowView, RowViewHandle } from './folder-views.ts';
import type { RowSelection } from './use-selection.ts';
import type { Viewport } from './use-viewport.ts';

/** The scroll position and focus of a folder when it was left, for a return to it. Kept until the window closes. */
interface FolderMemory {
  /** The view to which `scrollTopPx` applies, or null before the folder was shown. */
  readonly view: RowView | null;
  readonly scrollTopPx: number;
  readonly focus: { readonly kind: 'folder' | 'object'; readonly key: string } | null;
  /** True if the folder opens with a quick look at the focused row. */
  readonly isLooking?: boolean;
}

const maxRemembered = 200;
const memories = new Map<string, FolderMemory>();

export function recallFolder(id: string): FolderMemory | undefined {
  return memories.get(id);
}

function rememberFolder(id: string, memory: FolderMemory): void {
  memories.delete(id);
  memories.set(id, memory);
  const [oldest] = memories.keys();
  if (memories.size > maxRemembered && oldest !== undefined) memories.delete(oldest);
}

/** Lets the folder open with this object focused, and with a quick look if requested. */
export function rememberObject(place: FolderPlace, list: ListNumber, key: string, isLooking: boolean): void {
  const id = placeId(place, list);
  rememberFolder(id, { ...lastScroll(id), focus: { kind: 'object', key }, isLooking });
}

/** Lets the parent folder open with this child folder focused, after the user went up. */
export function rememberChild(parentId: string, child: string): void {
  rememberFolder(parentId, { ...lastScroll(parentId), focus: { kind: 'folder', key: child } });
}

function lastScroll(id: string): Pick<FolderMemory, 'view' | 'scrollTopPx'> {
  const { view = null, scrollTopPx = 0 } = memories.get(id) ?? {};
  return { view, scrollTopPx };
}

interface ArrivalOptions {
  /** Identifies the list, whose scroll position and focus are stored when it is left. */
  readonly id: string;
  /** Identifies the folder, regardless of the text with which the shown names begin. */
  readonly home: string;
  readonly view: RowView;
  readonly memory: FolderMemory | undefined;
  readonly model: FolderModel | null;
  readonly rows: RowSelection;
  readonly viewport: Viewport;
  readonly table: { readonly current: RowViewHandle | null };
  readonly isLooking: boolean;
  /** Called if the remembered row no longer exists. */
  readonly onGone?: () => void;
}

/** Focuses the list of a folder when it opens, restores what was focused when it was left, and keeps the focused row visible. */
export function useArrival(options: ArrivalOptions) {
  const { id, home, view, model, rows, viewport } = options;
  const { selection, focusRow, focusPosition } = rows;
  useFocusOnArrival(options.table, home, viewport.scroller);
  useRestoredFocus(options);
  /** Selects a row once it has loaded, and scrolls to it. */
  const selectRow = useRequestedRow(model, focusRow);
  const focused = selection.focus === null ? undefined : model?.row(selection.focus);
  useStoredScroll(id, viewport, model !== null, view, focused);
  useScrollToFocus(view, viewport, focusPosition);
  useKeepFocusVisible(home, options.isLooking, viewport, focusPosition);
  return { focused, selectRow };
}

/** Stores the scroll position and focus of a folder when it is left, for a return to it. */
function useStoredScroll(
  id: string,
  { scroller, topPx }: Viewport,
  hasRows: boolean,
  view: RowView,
  focused: FolderRow | undefined,
): void {
  const canStore = scroller !== null && hasRows;
  // Uses a layout effect, whose cleanup runs before the table shows the rows and scroll position of the next folder.
  useLayoutEffect(() => {
    if (!canStore) return undefined;
    return () => {
      const focus = focused === undefined ? null : { kind: focused.kind, key: focused.key };
      rememberFolder(id, { view, scrollTopPx: topPx(), focus });
    };
  }, [id, view, focused, canStore, topPx]);
}

/** Focuses the list when a folder opens or its view changes, unless another element on the screen has focus. */
function useFocusOnArrival(
  table: { readonly current: RowViewHandle | null },
  home: string,
  scroller: HTMLElement | null,
): void {
  const isActive = useIsActivePane();
  useEffect(() => {
    if (isActive && scroller !== null && mayTakeFocus(scroller)) table.current?.focus();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each folder and view
  }, [table, home, scroller, isActive]);
}

/** Focuses the remembered row once for each folder, when its first rows have loaded. Calls `onGone` if there is none. */
function useRestoredFocus({ home, memory, model, rows, viewport, onGone }: ArrivalOptions): void {
  const done = useRef<string | null>(null);
  const canRestore = viewport.scroller !== null && model !== null && model.loadedCount > 0;
  useEffect(() => {
    if (!canRestore || done.current === home) return;
    done.current = home;
    const focus = memory?.focus ?? null;
    const number = focus === null ? -1 : model.find(focus.kind, focus.key);
    if (number === -1) onGone?.();
    else rows.focusRow(number);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per folder
  }, [home, canRestore]);
}

/** Scrolls to the focused row after a change of view. */
export function useScrollToFocus(
  view: RowView,
  { scroller, showRow }: Viewport,
  focusPosition: number,
): void {
  const shown = useRef(view);
  useLayoutEffect(() => {
    // While the next view renders, the previous view may still be the scroller.
    if (scroller?.isConnected !== true || shown.current === view) return;
    shown.current = view;
    if (focusPosition !== -1) showRow(focusPosition);
  }, [view, scroller, showRow, focusPosition]);
}

/**
 * Keeps the focused row visible when the list is resized, if it was visible before. While a preview is open, always shows the
 * row.
 */
export function useKeepFocusVisible(
  of: string,
  isLooking: boolean,
  viewport: Viewport,
  focusPosition: number,
): void {
  const { showRow, widthPx, lines, track, topPx } = viewport;
  const size = `${String(widthPx)} ${String(track.viewportPx)}`;
  useLayoutEffect(() => {
    if (isLooking && focusPosition !== -1) showRow(focusPosition);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run on every resize
  }, [isLooking, showRow, size, focusPosition]);
  useKeptInSight({
    of,
    size,
    position: focusPosition,
    isInSight: () => scrollToShow(track, topPx(), Math.floor(focusPosition / lines.perLine)) === topPx(),
    show: () => showRow(focusPosition),
  });
}

interface RequestedRow {
  readonly kind: FolderRow['kind'];
  readonly key: string;
  /** The model shown when the row was requested. The row may be in this model or in the next one. */
  readonly model: FolderModel | null;
}

/** Selects a row once it has loaded. Gives up if the next listing does not contain it. */
function useRequestedRow(
  model: FolderModel | null,
  focusRow: (row: number) => void,
): (kind: FolderRow['kind'], key: string) => void {
  const [requestedRow, setRequestedRow] = useState<RequestedRow | null>(null);
  useEffect(() => {
    if (requestedRow === null || model === null) return;
    const number = model.find(requestedRow.kind, requestedRow.key);
    if (number !== -1) focusRow(number);
    if (number !== -1 || model !== requestedRow.model) setRequestedRow(null);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- not again because the selection moved
  }, [requestedRow, model]);
  return (kind, key) => setRequestedRow({ kind, key, model });
}

/**
 * Returns a number that changes whenever `of` changes, even back to an earlier value. Meant for a component that stays mounted.
 * Sets no state while rendering, which would render the component twice.
 */
export function useVisit(of: string): number {
  const [committed] = useState(() => createStore(() => ({ of, visit: 0 })));
  const last = committed.getState();
  const visit = last.of === of ? last.visit : last.visit + 1;
  useLayoutEffect(() => {
    committed.setState({ of, visit });
  }, [committed, of, visit]);
  return visit;
}

/** State that is reset to `initial`, a constant, on each visit. Setters from an earlier visit have no effect. */
export function useVisitState<T>(visit: number, initial: T): readonly [T, (value: T) => void] {
  const [entry, setEntry] = useState({ visit, value: initial });
  const set = useCallback(
    (value: T) => {
      setEntry((now) => {
        const before = now.visit === visit ? now.value : initial;
        // Returns the same object if nothing changes, so that React does not render.
        return Object.is(before, value) ? now : { visit, value };
      });
    },
    [visit, initial],
  );
  return [entry.visit === visit ? entry.value : initial, set];
}
