import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { FolderHandle } from '../../features/objects/index.ts';
import { hasNoFocusedElement } from '../../ui/keyboard/keyboard-place.ts';
import { followMainPane, holdMainPane } from '../../ui/keyboard/panes.ts';
import type { PaneId } from '../places/navigation.ts';
import type { WindowPlace } from '../places/places.ts';

interface PaneHandles {
  /**
   * Returns the handle of the folder in the active pane. Use it with the location from the same render, so that rows and location
   * match.
   */
  readonly folder: RefObject<FolderHandle | null>;
  readonly handle: (pane: PaneId, handle: FolderHandle | null) => void;
}

type Shown = Record<PaneId, RefObject<FolderHandle | null>>;

/** The handles of the folders in the front tab's panes. */
export function usePaneHandles(active: PaneId): PaneHandles {
  const first = useRef<FolderHandle>(null);
  const second = useRef<FolderHandle>(null);
  const shown: Shown = { 1: first, 2: second };
  const handle = useCallback((pane: PaneId, folder: FolderHandle | null) => {
    if (pane === 1) first.current = folder;
    else second.current = folder;
  }, []);
  return { folder: shown[active], handle };
}

/** Keeps focus in the active pane when its kind of page changes, or when another pane becomes active. */
export function usePaneFocus(kind: WindowPlace['kind'], activePane: PaneId, isPair: boolean): void {
  useEffect(() => {
    // The focused element was removed with the previous page. The list of the new page takes focus when it appears.
    if (hasNoFocusedElement()) holdMainPane();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each kind of page
  }, [kind]);
  useEffect(() => {
    followMainPane();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each pane
  }, [activePane, isPair]);
}
