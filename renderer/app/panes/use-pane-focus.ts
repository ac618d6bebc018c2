import { useEffect } from 'react';
import { hasNoFocusedElement } from '../../ui/keyboard/keyboard-place.ts';
import { followMainPane, holdMainPane } from '../../ui/keyboard/panes.ts';
import type { PaneId } from '../places/navigation.ts';
import type { WindowPlace } from '../places/places.ts';

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
