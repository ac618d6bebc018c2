import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

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
