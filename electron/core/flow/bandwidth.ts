import type { Clock } from '../ports.ts';

/** Holds a stream of bytes to so many a second; shared by all that send. */
export interface BandwidthLimiter {
  /** Resolves when these bytes may pass; rejects when the signal ends what they are for: minutes may pass before them. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
}

/** `bytesPerSecond` is asked for each time, so that a change of the settings holds at once; null: no limit. */
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
