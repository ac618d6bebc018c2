import type { Clock } from '../ports.ts';

/** A limit on how many operations run at once. `limit` may change while they run. */
export interface AtOnce {
  readonly limit: number;
  /** The maximum that `limit` can reach. */
  readonly maxLimit: number;
}

/** Returns a constant limit. */
export function always(limit: number): AtOnce {
  return { limit, maxLimit: limit };
}

/** Returns the measured limit, but at least `least`. For requests that are cheap for the service. */
export function atLeast(least: number, measured: AtOnce): AtOnce {
  return {
    get limit() {
      return Math.max(least, measured.limit);
    },
    maxLimit: Math.max(least, measured.maxLimit),
  };
}

/** Returns the smallest of the limits. */
export function smallestLimit(...all: readonly AtOnce[]): AtOnce {
  return {
    get limit() {
      return Math.min(...all.map(({ limit }) => limit));
    },
    maxLimit: Math.min(...all.map(({ maxLimit }) => maxLimit)),
  };
}

/** Runs work in the order of the calls, within a limit. */
export type Slots = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Limits how much work runs at once. Work that is aborted while queued never starts. A raised limit takes effect when running
 * work ends.
 */
export function slots(atOnce: AtOnce): Slots {
  let inFlight = 0;
  const waiting: (() => void)[] = [];
  const beginNext = (): void => {
    while (inFlight < atOnce.limit) {
      const next = waiting.shift();
      if (next === undefined) return;
      inFlight += 1;
      next();
    }
  };
  return async (signal, work) => {
    if (inFlight < atOnce.limit) inFlight += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      inFlight -= 1;
      beginNext();
    }
  };
}

/** Limits the bytes sent per second. All senders share one limiter. */
export interface BandwidthLimiter {
  /** Resolves when these bytes may be sent. Rejects when the signal aborts, because the wait may take minutes. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
}

/** Creates a limiter. Calls `bytesPerSecond` each time, so that a changed setting applies at once; null means no limit. */
export function createLimiter(clock: Clock, bytesPerSecond: () => number | null): BandwidthLimiter {
  let freeAtMs = 0;
  return {
    take: async (bytes, signal) => {
      const rate = bytesPerSecond();
      if (rate === null) return;
      const nowMs = clock.monotonicMs();
      const startMs = Math.max(nowMs, freeAtMs);
      freeAtMs = startMs + (bytes * 1000) / rate;
      if (startMs > nowMs) await clock.sleep(startMs - nowMs, signal);
    },
  };
}
