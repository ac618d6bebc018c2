import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { z } from 'zod';
import { orpc, rpc } from './client.ts';

const settleMs = 400;
/** What is to be kept in a moment. */
const waiting = new Map<
  string,
  { readonly timer: ReturnType<typeof setTimeout>; readonly keep: () => void }
>();

type Json = NonNullable<Parameters<typeof rpc.view.set>[0]>['value'];

/** Keeps the newest value only, a moment after the last change. Nothing is drawn again: for what is read once, at the start. */
export function keepSoon(name: string, value: Json): void {
  clearTimeout(waiting.get(name)?.timer);
  const keep = (): void => {
    waiting.delete(name);
    // The view of a window is a comfort: if it cannot be kept, the window goes on, and the core has logged why.
    rpc.view.set({ name, value }).catch(() => undefined);
  };
  waiting.set(name, { timer: setTimeout(keep, settleMs), keep });
}

window.addEventListener('pagehide', () => {
  for (const { timer, keep } of waiting.values()) {
    clearTimeout(timer);
    keep();
  }
});

export interface KeptView<T> {
  readonly value: T;
  /** What was kept has been asked for and has come, or there is none. */
  readonly isSettled: boolean;
  readonly set: (value: T) => void;
}

/** Something the window finds again after a reload: widths, tabs. What does not fit the schema is forgotten. */
export function useKeptView<T extends Json>(name: string, schema: z.ZodType<T>, fallback: T): KeptView<T> {
  const queries = useQueryClient();
  const options = orpc.view.get.queryOptions({ input: { name }, staleTime: Infinity, gcTime: Infinity });
  const { data, isPending } = useQuery({ ...options, meta: { keepAfterReconnect: true } });
  const value = useMemo(() => {
    const parsed = schema.safeParse(data);
    return parsed.success ? parsed.data : fallback;
  }, [data, schema, fallback]);
  const set = useCallback(
    (next: T) => {
      queries.setQueryData(orpc.view.get.queryKey({ input: { name } }), next);
      keepSoon(name, next);
    },
    [queries, name],
  );
  return { value, isSettled: !isPending, set };
}
