// oxlint-disable-next-line no-restricted-imports -- the one use, which adds the newest function
import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
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

type LatestMutationOptions<Data, Variables> = UseMutationOptions<Data, Error, Variables> & {
  readonly mutationFn: (variables: Variables) => Promise<Data>;
};

/**
 * Returns a mutation that runs with the values that the window shows. `useMutation` adopts a new `mutationFn` only some time
 * after the render, so an early key press would send the values from before the last change.
 */
export function useLatestMutation<Data, Variables = void>(
  options: LatestMutationOptions<Data, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const { mutationFn } = useStable({ mutationFn: options.mutationFn });
  return useMutation({ ...options, mutationFn });
}
