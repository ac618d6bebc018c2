import type { Clock } from '../ports.ts';

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
