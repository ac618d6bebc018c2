import { useCallback, useLayoutEffect, useState } from 'react';
import { createStore } from 'zustand/vanilla';

/**
 * Returns a number that changes whenever `of` changes, even back to an earlier value. Meant for a component that stays mounted.
 * Sets no state while rendering, which would render the component twice.
 */
export function useVisit(of: string): number {
  const [committed] = useState(() => createStore(() => ({ of, visit: 0 })));
  const last = committed.getState();
  const visit = last.of === of ? last.visit : last.visit + 1;
  useLayoutEffect(() => {
    committed.setState({ of, visit });
  }, [committed, of, visit]);
  return visit;
}

/** State that is reset to `initial`, a constant, on each visit. Setters from an earlier visit have no effect. */
export function useVisitState<T>(visit: number, initial: T): readonly [T, (value: T) => void] {
  const [held, setHeld] = useState({ visit, value: initial });
  const set = useCallback(
    (value: T) => {
      setHeld((now) => {
        const before = now.visit === visit ? now.value : initial;
        // Returns the same object if nothing changes, so that React does not render.
        return Object.is(before, value) ? now : { visit, value };
      });
    },
    [visit, initial],
  );
  return [held.visit === visit ? held.value : initial, set];
}
