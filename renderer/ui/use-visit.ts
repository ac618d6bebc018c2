import { useCallback, useLayoutEffect, useState } from 'react';
import { createStore } from 'zustand/vanilla';

/**
 * Returns a number that changes whenever a component that stays mounted shows another thing, also on a return to an earlier one.
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

/** A state that has its initial value, a constant, again on each visit. A setter of an earlier visit changes nothing. */
export function useVisitState<T>(visit: number, initial: T): readonly [T, (value: T) => void] {
  const [held, setHeld] = useState({ visit, value: initial });
  const set = useCallback(
    (value: T) => {
      setHeld((now) => {
        const before = now.visit === visit ? now.value : initial;
        // The same object again, so that React renders nothing.
        return Object.is(before, value) ? now : { visit, value };
      });
    },
    [visit, initial],
  );
  return [held.visit === visit ? held.value : initial, set];
}
