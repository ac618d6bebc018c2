import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { z } from 'zod/mini';
import { orpc, rpc } from './client.ts';

const settleMs = 400;
/** Values waiting to be stored. */
const waiting = new Map<
  string,
  { readonly timer: ReturnType<typeof setTimeout>; readonly keep: () => void }
>();

/** Values set in this window. A stored value that is read later is older. */
const chosen = new Map<string, Json>();

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

function keepNow(): void {
  for (const { timer, keep } of waiting.values()) {
    clearTimeout(timer);
    keep();
  }
}

// A reload tells of itself before the page is taken down: what is sent then arrives, where the last moment may be too late.
window.addEventListener('beforeunload', keepNow);
window.addEventListener('pagehide', keepNow);

export interface KeptView<T> {
  readonly value: T;
  /** The stored value has been read, or there is none. */
  readonly isSettled: boolean;
  readonly set: (value: T) => void;
}

/** Sets what is kept under any name: of a place that is gone to next, say. */
export function useKeptSetter(): (name: string, value: Json) => void {
  const queries = useQueryClient();
  return useCallback(
    (name, value) => {
      chosen.set(name, value);
      queries.setQueryData(orpc.view.get.queryKey({ input: { name } }), value);
      keepSoon(name, value);
    },
    [queries],
  );
}

/** Something the window finds again after a reload: widths, tabs. What does not fit the schema is forgotten. */
export function useKeptView<T extends Json>(
  name: string,
  schema: z.ZodMiniType<T>,
  fallback: T,
): KeptView<T> {
  const { data, isPending } = useQuery({
    queryKey: orpc.view.get.queryKey({ input: { name } }),
    queryFn: async ({ signal }) => {
      const stored = await rpc.view.get({ name }, { signal });
      return chosen.has(name) ? chosen.get(name) : stored;
    },
    staleTime: Infinity,
    gcTime: Infinity,
    meta: { keepAfterReconnect: true },
  });
  const value = useMemo(() => {
    const parsed = schema.safeParse(data);
    return parsed.success ? parsed.data : fallback;
  }, [data, schema, fallback]);
  const setAny = useKeptSetter();
  const set = useCallback(
    (next: T) => {
      setAny(name, next);
    },
    [setAny, name],
  );
  return { value, isSettled: !isPending, set };
}
