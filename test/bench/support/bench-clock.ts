import type { Clock, Random } from '../../../electron/core/ports.ts';

/** The time of this machine; its timers do not keep a bench alive. */
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
