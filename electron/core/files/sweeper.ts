import { setImmediate } from 'node:timers';
import type { Logger } from '../ports.ts';
import type { Dropped } from './dropped.ts';

/** Returns a function that starts a sweep. Sweeps run one at a time however many jobs end at once. */
export function sweeper(dropped: Pick<Dropped, 'sweep'>, logger: Pick<Logger, 'warn'>): () => void {
  let asked = false;
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (asked) {
      asked = false;
      await dropped.sweep();
    }
  };
  return () => {
    asked = true;
    if (running) return;
    running = true;
    setImmediate(() => {
      run()
        // The database may be closed by now: the next start sweeps again.
        .catch((thrown: unknown) => logger.warn('Copies of dropped files were not swept.', { err: thrown }))
        .finally(() => {
          running = false;
        });
    });
  };
}
