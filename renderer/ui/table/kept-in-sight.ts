import { useLayoutEffect, useRef } from 'react';

interface Sight {
  /** What the list shows; another one begins at its top, wherever the focus is. */
  readonly of: string | undefined;
  /** Of the list: in sight is something else when it changes. */
  readonly size: string;
  /** Where the focus is among the rows; -1: nowhere. One that moved with its row, as in another order, is not followed. */
  readonly position: number;
  readonly isInSight: () => boolean;
  readonly show: () => void;
}

/** As a list changes its size, what has the focus stays in sight if it was before. */
export function useKeptInSight({ of, size, position, isInSight, show }: Sight): void {
  const last = useRef({ of, size, position, wasInSight: false });
  useLayoutEffect(() => {
    const { current } = last;
    const isSame = current.of === of;
    const isShown = isSame && current.size !== size && current.position === position && current.wasInSight;
    if (isShown) show();
    // The list tells of a scroll later, of this one too.
    last.current = { of, size, position, wasInSight: isShown || (isSame && position !== -1 && isInSight()) };
  });
}
