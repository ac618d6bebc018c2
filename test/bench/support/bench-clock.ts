import type { Clock, Random } from '../../../electron/core/ports.ts';

/** The real clock. Its timers do not keep a benchmark's process alive. */
export const benchClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    }),
};

export const benchRandom: Random = { fraction: () => 0.5, id: () => crypto.randomUUID() };
