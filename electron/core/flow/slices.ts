import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/**
 * How long one slice may block the thread, in milliseconds, without its commit. A window's call may wait for several slices
 * within 50 ms.
 */
const sliceMs = 8;

/**
 * Runs `work` for each item, in slices limited by time. `around` wraps each slice, such as in a transaction; an error it throws
 * ends the run. The first slice runs at once; other work may run between slices.
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
