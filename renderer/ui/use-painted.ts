import { startTransition, useEffect, useState } from 'react';

/**
 * Returns the value of the last paint, and the newest one after the next; while it is on hold, the earlier one. For parts of the
 * window that need not be ready at the moment the user waits for. `useDeferredValue` defers nothing in a transition.
 */
export function usePainted<T>(value: T, isOnHold = false): T {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    if (isOnHold) return undefined;
    const frame = requestAnimationFrame(() => {
      startTransition(() => {
        setPainted(() => value);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [value, isOnHold]);
  return painted;
}
