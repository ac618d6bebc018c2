import { Coalescer } from '../flow/coalescer.ts';
import type { Clock } from '../ports.ts';
import type { JobStore } from './job-store.ts';

/** The time in milliseconds that the first write waits for others. A flush to disk takes longer. */
const collectMs = 5;

/**
 * Joins concurrent writes into one transaction, so that the disk is flushed once. A write resolves when it is on disk. If the
 * transaction fails, all its writes fail.
 */
export class GroupCommit {
  readonly #writes: Coalescer<() => void, true>;

  /** `maxWrites` is the number of pending writes at which a transaction starts without a delay. */
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
