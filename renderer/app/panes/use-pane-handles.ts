import { useCallback, useRef, type RefObject } from 'react';
import type { FolderHandle } from '../../features/objects/index.ts';
import type { PaneId } from '../places/navigation.ts';

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
