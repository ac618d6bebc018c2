import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/**
 * Calls `work` for each item, at most `limit` at a time. After a failure, waits for the running work and rejects with the first
 * failure.
 */
export async function forEachLimited<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const runner = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted || failures.length > 0) return;
      try {
        await work(item);
      } catch (thrown) {
        failures.push(thrown);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, runner));
  if (failures.length > 0) throw failures[0];
  signal.throwIfAborted();
}

/** A map that keeps the most recently used entries and evicts the least recently used one above the limit. */
export class Recent<V> {
  readonly #entries = new Map<string, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }
}

/**
 * Converts work that reports progress into a stream. Yields only the latest report, at intervals of `sleep`. Throws the work's
 * error.
 */
export async function* reporting<P, R>(
  sleep: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  work: (report: (progress: P) => void, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<{ kind: 'progress'; progress: P } | { kind: 'result'; result: R }> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const slot: ProgressSlot<P, R> = { latest: null, outcome: null, wake: null };
  const running = settle(
    slot,
    work((progress) => put(slot, progress), both),
  );
  try {
    for (;;) {
      const { latest, outcome } = slot;
      slot.latest = null;
      if (latest !== null) yield { kind: 'progress', progress: latest.progress };
      if (outcome !== null && slot.latest === null) {
        if (!outcome.ok) throw outcome.thrown;
        yield { kind: 'result', result: outcome.result };
        return;
      }
      if (latest !== null && outcome === null)
        await Promise.race([running, sleep(both).catch(() => undefined)]);
      else if (outcome === null && slot.latest === null) await news(slot);
    }
  } finally {
    ended.abort();
    await running;
  }
}

interface ProgressSlot<P, R> {
  latest: { readonly progress: P } | null;
  outcome:
    { readonly ok: true; readonly result: R } | { readonly ok: false; readonly thrown: unknown } | null;
  wake: (() => void) | null;
}

function put<P, R>(slot: ProgressSlot<P, R>, progress: P): void {
  slot.latest = { progress };
  slot.wake?.();
}

async function settle<P, R>(slot: ProgressSlot<P, R>, work: Promise<R>): Promise<void> {
  try {
    slot.outcome = { ok: true, result: await work };
  } catch (thrown) {
    slot.outcome = { ok: false, thrown };
  }
  slot.wake?.();
}

function news<P, R>(slot: ProgressSlot<P, R>): Promise<void> {
  return new Promise((resolve) => {
    slot.wake = resolve;
  });
}

/** Calls `work` for each input, at most `atOnce` at a time. Returns the results in the order of the inputs. */
export async function inParallel<In, Out>(
  inputs: readonly In[],
  atOnce: number,
  work: (input: In) => Promise<Out>,
): Promise<Out[]> {
  const results = new Map<number, Out>();
  const entries = inputs.entries();
  const worker = async (): Promise<void> => {
    // All workers share one iterator, so each input is processed once.
    for (const [at, input] of entries) results.set(at, await work(input));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, inputs.length) }, worker));
  return inputs.flatMap((_, at) => (results.has(at) ? [results.get(at) as Out] : []));
}

/**
 * The maximum time in milliseconds for which one slice may block the thread, without its commit. Calls of the window may wait for
 * several slices and should respond within 50 ms.
 */
const sliceMs = 8;

/**
 * Calls `work` for each item, in slices limited by time. `around` wraps each slice, for example in a transaction; if it throws,
 * the run ends. The first slice runs at once; other work may run between slices.
 */
export async function inSlices<T>(
  clock: Pick<Clock, 'monotonicMs'>,
  items: Iterable<T>,
  around: (slice: () => void) => void,
  work: (item: T) => void,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const progress = { isOver: false };
  try {
    while (!progress.isOver) {
      around(() => {
        const startedMs = clock.monotonicMs();
        do {
          const next = queue.next();
          progress.isOver = next.done === true;
          if (next.done === true) return;
          work(next.value);
        } while (clock.monotonicMs() - startedMs < sliceMs);
      });
      if (!progress.isOver) await setImmediate();
    }
  } finally {
    queue.return?.();
  }
}

/** Runs a generator to its end and returns its result. Other work runs after each step. Throws the signal's reason if aborted. */
export async function lastOf<R>(steps: Generator<unknown, R>, signal: AbortSignal | undefined): Promise<R> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
    signal?.throwIfAborted();
  }
}
