import { useInsertionEffect, useRef, useState } from 'react';

/**
 * The same functions from the first drawing to the last, each doing what its newest version does: what they are handed to
 * is not drawn again because of them. For events, not to be called while drawing.
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
