import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/** How long one slice may keep the thread, its commit not counted: a call of the window passes several of them in 50 ms. */
export const sliceMs = 8;

/**
 * Does `work` for each item, in slices that end by time; `around` runs each slice, such as in a transaction, and what it
 * throws ends the whole. The first slice runs at once, and other work has its turn between two.
 */
export async function inSlices<T>(
  clock: Pick<Clock, 'monotonicMs'>,
  items: Iterable<T>,
  around: (slice: () => void) => void,
  work: (item: T) => void,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const progress = { isOver: false };
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
}
