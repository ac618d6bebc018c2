import { setImmediate } from 'node:timers';
import type { Logger } from '../ports.ts';

/** A set of temporary copies. `sweep` removes those that are no longer needed. */
interface Sweepable {
  sweep(): Promise<void>;
}

/** Returns a function that starts a sweep of all these copies. Sweeps run one at a time, even if many jobs end at once. */
export function sweeper(all: readonly Sweepable[], logger: Pick<Logger, 'warn'>): () => void {
  let asked = false;
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (asked) {
      asked = false;
      for (const copies of all) await copies.sweep();
    }
  };
  return () => {
    asked = true;
    if (running) return;
    running = true;
    setImmediate(() => {
      run()
        // The database may already be closed. The next start sweeps again.
        .catch((thrown: unknown) => logger.warn('Temporary copies were not removed.', { err: thrown }))
        .finally(() => {
          running = false;
        });
    });
  };
}
