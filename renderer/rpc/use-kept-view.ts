import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { z } from 'zod/mini';
import { orpc, rpc } from './client.ts';

const settleMs = 400;

interface Unconfirmed {
  readonly value: Json;
  /** Sends the value. Null once it is sent. */
  timer: ReturnType<typeof setTimeout> | null;
}

/** Values whose storage the core has not confirmed. A reload can still lose a request that was just sent. */
const unconfirmed = new Map<string, Unconfirmed>();

/** Values set in this window, which take precedence over a stored value read later. */
const chosen = new Map<string, Json>();

type Json = NonNullable<Parameters<typeof rpc.view.set>[0]>['value'];

/**
 * Stores the newest value a moment after the last change. Causes no render, so use it for values that are read only at the start.
 */
export function storeSoon(name: string, value: Json): void {
  const earlier = unconfirmed.get(name)?.timer ?? null;
  if (earlier !== null) clearTimeout(earlier);
  const entry: Unconfirmed = { value, timer: setTimeout(() => void send(name, entry), settleMs) };
  unconfirmed.set(name, entry);
}

async function send(name: string, entry: Unconfirmed): Promise<void> {
  entry.timer = null;
  try {
    await rpc.view.set({ name, value: entry.value });
  } catch {
    // View state is not essential, and the core has logged the error.
  }
  if (unconfirmed.get(name) === entry) unconfirmed.delete(name);
}

/** Storage key for values sent while a page unloads. The request may be lost, so the next page sends them again. */
const unsentKey = 'cooper-unsent-view';
const unsentSchema = z.object({ atMs: z.number(), values: z.record(z.string(), z.json()) });
/**
 * Maximum age of unsent values in milliseconds. A reload takes less time, and in a tab reopened later they may be older than the
 * stored values.
 */
const maxReloadMs = 10_000;

window.addEventListener('pagehide', () => {
  if (unconfirmed.size === 0) return;
  const values = Object.fromEntries([...unconfirmed].map(([name, { value }]) => [name, value]));
  sessionStorage.setItem(unsentKey, JSON.stringify({ atMs: Date.now(), values }));
  for (const [name, entry] of unconfirmed) {
    if (entry.timer === null) continue;
    clearTimeout(entry.timer);
    void send(name, entry);
  }
});

function resendUnsent(): void {
  const text = sessionStorage.getItem(unsentKey);
  sessionStorage.removeItem(unsentKey);
  if (text === null) return;
  const unsent = unsentSchema.safeParse(JSON.parse(text));
  if (!unsent.success || Date.now() - unsent.data.atMs > maxReloadMs) return;
  for (const [name, value] of Object.entries(unsent.data.values)) {
    chosen.set(name, value);
    storeSoon(name, value);
  }
}

resendUnsent();

export interface KeptView<T> {
  readonly value: T;
  /** True once the stored value has been read, or is known to be missing. */
  readonly isSettled: boolean;
  readonly set: (value: T) => void;
  /** Returns the value that was last set, also before the component has rendered it. */
  readonly latest: () => T;
}

/** Returns a function that stores a value under any name, for example for a page that opens next. */
export function useKeptSetter(): (name: string, value: Json) => void {
  const queries = useQueryClient();
  return useCallback(
    (name, value) => {
      chosen.set(name, value);
      queries.setQueryData(orpc.view.get.queryKey({ input: { name } }), value);
      storeSoon(name, value);
    },
    [queries],
  );
}

/** State that survives a reload, such as widths and tabs. A stored value that does not match the schema is dropped. */
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
  const read = useCallback(
    (stored: unknown): T => {
      const parsed = schema.safeParse(stored);
      return parsed.success ? parsed.data : fallback;
    },
    [schema, fallback],
  );
  const value = useMemo(() => read(data), [read, data]);
  const setAny = useKeptSetter();
  const set = useCallback((next: T) => setAny(name, next), [setAny, name]);
  const queries = useQueryClient();
  const latest = useCallback(
    () => read(queries.getQueryData(orpc.view.get.queryKey({ input: { name } }))),
    [queries, name, read],
  );
  return { value, isSettled: !isPending, set, latest };
}
