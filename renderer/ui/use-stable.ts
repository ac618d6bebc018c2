import { useInsertionEffect, useRef, useState } from 'react';

/**
 * Returns functions that never change and always call the newest version. Components that receive them do not re-render. Meant
 * for event handlers; do not call them while rendering.
 */
export function useStable<T extends { readonly [Name in keyof T]: (...args: never[]) => unknown }>(
  latest: T,
): T {
  const newest = useRef(latest);
  useInsertionEffect(() => {
    newest.current = latest;
  });
  const [stable] = useState(() => {
    const names = Object.keys(latest) as (keyof T)[];
    const calls = names.map((name) => [name, (...args: never[]) => newest.current[name](...args)] as const);
    return Object.fromEntries(calls) as unknown as T;
  });
  return stable;
}
