import { startTransition, useEffect, useState } from 'react';

/**
 * Returns the previous value until the rest of the window has painted, then the newest value. With `isOnHold`, keeps returning
 * the previous value. Meant for parts of the window that are not urgent. `useDeferredValue` does not help, since it defers
 * nothing in a transition.
 */
export function useValueAfterPaint<T>(value: T, isOnHold = false): T {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    if (isOnHold) return undefined;
    const frame = requestAnimationFrame(() => {
      startTransition(() => setPainted(() => value));
    });
    return () => cancelAnimationFrame(frame);
  }, [value, isOnHold]);
  return painted;
}
