import { Coalescer } from '../flow/coalescer.ts';
import type { Clock } from '../ports.ts';
import type { JobStore } from './job-store.ts';

/** The time that the first write waits for others, in milliseconds. It is shorter than flushing to disk. */
const collectMs = 5;

/**
 * Joins writes at the same time into one transaction, so that the disk is flushed once. A write resolves when it is on disk. If
 * the transaction fails, all its writes fail.
 */
export class GroupCommit {
  readonly #writes: Coalescer<() => void, true>;

  /** `maxWrites` is the number of waiting writes that starts a transaction at once. */
  constructor(store: Pick<JobStore, 'transaction'>, clock: Clock, maxWrites: number) {
    this.#writes = new Coalescer({
      size: maxWrites,
      atOnce: Number.POSITIVE_INFINITY,
      partial: { kind: 'after', clock, ms: collectMs },
      send: async (writes) => {
        store.transaction(() => {
          for (const write of writes) write();
        });
        return await Promise.resolve(writes.map(() => true as const));
      },
    });
  }

  /** Resolves once the write is on disk. Rejects with the store's error or the signal's reason; then nothing was written. */
  async write(write: () => void, signal: AbortSignal): Promise<void> {
    await this.#writes.add(write, signal);
  }
}
