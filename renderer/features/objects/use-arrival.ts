import { useEffect, useLayoutEffect, useRef } from 'react';
import type { TableHandle } from './folder-table.tsx';
import type { FolderRow } from './row.ts';
import type { Viewport } from './use-viewport.ts';
import { isKeyboardNowhere } from '../../ui/keyboard-place.ts';
import { rememberFolder } from './view-memory.ts';

/** Keeps how the folder looked when it is left, so that coming back finds it again. */
export function useRemembering(
  id: string,
  { scroller, topPx }: Viewport,
  hasRows: boolean,
  focused: FolderRow | undefined,
): void {
  const isThere = scroller !== null && hasRows;
  // Before the next folder's rows stand in the table, and with them another way down.
  useLayoutEffect(() => {
    if (!isThere) return undefined;
    return () => {
      const focus = focused === undefined ? null : { kind: focused.kind, key: focused.key };
      rememberFolder(id, { scrollTopPx: topPx(), focus });
    };
  }, [id, focused, isThere, topPx]);
}

/** The list takes the keyboard when a folder opens, unless something else on the screen has it. */
export function useFocusOnArrival(
  table: { readonly current: TableHandle | null },
  home: string,
  isThere: boolean,
): void {
  useEffect(() => {
    if (isThere && isKeyboardNowhere()) table.current?.focus();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- for each folder anew
  }, [table, home, isThere]);
}

/** Runs once for each folder, when its first rows are there. */
export function useRestoredFocus(home: string, isThere: boolean, restore: () => void): void {
  const done = useRef<string | null>(null);
  useEffect(() => {
    if (!isThere || done.current === home) return;
    done.current = home;
    restore();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [home, isThere]);
}
