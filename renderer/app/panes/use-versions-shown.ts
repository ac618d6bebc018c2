import { useState } from 'react';
import type { PaneId } from '../places/navigation.ts';

interface VersionsShown {
  /** The panes that show the versions of objects. */
  readonly panes: ReadonlySet<PaneId>;
  readonly isHere: boolean;
  /** Shows or hides the versions in the active pane. */
  readonly toggle: () => void;
}

/** Remembers which panes show versions. `pane` is the active pane. */
export function useVersionsShown(pane: PaneId): VersionsShown {
  const [panes, setPanes] = useState<ReadonlySet<PaneId>>(new Set());
  const isHere = panes.has(pane);
  return {
    panes,
    isHere,
    toggle: () => {
      const others = [...panes].filter((paneId) => paneId !== pane);
      setPanes(new Set(isHere ? others : [...others, pane]));
    },
  };
}
