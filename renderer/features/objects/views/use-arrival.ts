import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RowView, RowViewHandle } from './folder-views.ts';
import type { FolderRow } from '../rows/row.ts';
import type { Viewport } from './use-viewport.ts';
import { useIsActivePane } from '../../../ui/keyboard/active-pane.ts';
import { mayTakeFocus } from '../../../ui/keyboard/keyboard-place.ts';
import { useKeptInSight } from '../../../ui/table/kept-in-sight.ts';
import { scrollToShow } from '../../../ui/table/virtual-scroll.ts';
import { rememberFolder } from './view-memory.ts';

/** Stores the scroll position and focus of a folder when it is left, for a return to it. */
export function useStoredScroll(
  id: string,
  { scroller, topPx }: Viewport,
  hasRows: boolean,
  view: RowView,
  focused: FolderRow | undefined,
): void {
  const isThere = scroller !== null && hasRows;
  // Uses a layout effect, whose cleanup runs before the table shows the rows and scroll position of the next folder.
  useLayoutEffect(() => {
    if (!isThere) return undefined;
    return () => {
      const focus = focused === undefined ? null : { kind: focused.kind, key: focused.key };
      rememberFolder(id, { view, scrollTopPx: topPx(), focus });
    };
  }, [id, view, focused, isThere, topPx]);
}

/** Focuses the list when a folder opens or its view changes, unless another element on the screen has focus. */
export function useFocusOnArrival(
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

/** Runs `restore` once for each folder, when its first rows have loaded. */
export function useRestoredFocus(home: string, isThere: boolean, restore: () => void): void {
  const done = useRef<string | null>(null);
  useEffect(() => {
    if (!isThere || done.current === home) return;
    done.current = home;
    restore();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per folder
  }, [home, isThere]);
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
    show: () => {
      showRow(focusPosition);
    },
  });
}
