import { useLayoutEffect, useRef } from 'react';

/** As a list changes its size, what has the focus stays in sight if it was before. */
export function useKeptInSight(size: string, isInSight: () => boolean, show: () => void): void {
  const last = useRef({ size, wasInSight: false });
  useLayoutEffect(() => {
    const isShown = last.current.size !== size && last.current.wasInSight;
    if (isShown) show();
    // The scroll is told of later.
    last.current = { size, wasInSight: isShown || isInSight() };
  });
}
