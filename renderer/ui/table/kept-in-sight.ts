import { useLayoutEffect, useRef } from 'react';

interface Sight {
  /** Identifies the list's content. With other content, the list starts at its top, even if the focused row is not there. */
  readonly of: string | undefined;
  /** Identifies the size of the list, which determines what is visible. */
  readonly size: string;
  /** Position of the focused row, or -1. Focus that moved with its row, as after sorting, is not followed. */
  readonly position: number;
  readonly isInSight: () => boolean;
  readonly show: () => void;
}

/** Keeps the focused row visible when the list is resized, if it was visible before. */
export function useKeptInSight({ of, size, position, isInSight, show }: Sight): void {
  const last = useRef({ of, size, position, wasInSight: false });
  useLayoutEffect(() => {
    const { current } = last;
    const isSame = current.of === of;
    const isShown = isSame && current.size !== size && current.position === position && current.wasInSight;
    if (isShown) show();
    // Computed now, since the list reports the scroll only later.
    last.current = { of, size, position, wasInSight: isShown || (isSame && position !== -1 && isInSight()) };
  });
}
