import { useLayoutEffect, useRef } from 'react';

interface Sight {
  /** Identifies what the list shows; with another value it starts at its top, wherever the focus is. */
  readonly of: string | undefined;
  /** Identifies the size of the list: a change of it changes what is visible. */
  readonly size: string;
  /** Position of the focus among the rows; -1: none. A focus that moved with its row, as after sorting, is not followed. */
  readonly position: number;
  readonly isInSight: () => boolean;
  readonly show: () => void;
}

/** Keeps a visible focused row visible as the list changes its size. */
export function useKeptInSight({ of, size, position, isInSight, show }: Sight): void {
  const last = useRef({ of, size, position, wasInSight: false });
  useLayoutEffect(() => {
    const { current } = last;
    const isSame = current.of === of;
    const isShown = isSame && current.size !== size && current.position === position && current.wasInSight;
    if (isShown) show();
    // The list reports a scroll later, including this one.
    last.current = { of, size, position, wasInSight: isShown || (isSame && position !== -1 && isInSight()) };
  });
}
