import type { Logger } from '../ports.ts';
import type { JobReader } from './job-reader.ts';
import type { BaseJob } from './job.ts';

/** Jobs on their way out of the queue: nothing of them may begin again. */
export class Clearing {
  readonly #reader: JobReader;
  readonly #logger: Logger;
  readonly #under = new Set<string>();

  constructor(reader: JobReader, logger: Logger) {
    this.#reader = reader;
    this.#logger = logger;
  }

  has(jobId: string): boolean {
    return this.#under.has(jobId);
  }

  /**
   * Empties those that `may` be cleared, and removes each by `remove`; `inSlices` gives others their turn. What jobs have left
   * on this computer is gone when it resolves, or logged.
   */
  async clear(
    jobIds: Iterable<string | null>,
    may: (job: BaseJob) => boolean,
    inSlices: (steps: Iterable<BaseJob | null>, work: (job: BaseJob | null) => void) => Promise<void>,
    remove: (job: BaseJob) => void,
  ): Promise<void> {
    const begun = new Set<string>();
    const leftovers: Promise<void>[] = [];
    try {
      await inSlices(this.#emptied(jobIds, may, begun, leftovers), (job) => {
        if (job !== null) remove(job);
      });
    } finally {
      await Promise.all(leftovers);
      for (const id of begun) this.#under.delete(id);
    }
  }

  /** Yields each job once nothing belongs to it; yields null for a step in between. */
  *#emptied(
    jobIds: Iterable<string | null>,
    may: (job: BaseJob) => boolean,
    begun: Set<string>,
    leftovers: Promise<void>[],
  ): Generator<BaseJob | null> {
    for (const id of jobIds) {
      const job = id === null ? null : this.#reader.load(id);
      if (job === null || !may(job)) {
        yield null;
        continue;
      }
      begun.add(job.id);
      this.#under.add(job.id);
      const driver = this.#reader.driverOf(job.kind);
      // While it is still known where they are.
      const leftover = driver.removeLeftovers?.(job, ({ error }) =>
        this.#logger.warn('What a job has left could not be removed.', { jobId: job.id, error }),
      );
      if (leftover !== undefined) leftovers.push(leftover);
      while (driver.removeSome?.(job.id) === true) yield null;
      // A record that was broken meanwhile is set aside, and counted no more.
      yield this.#reader.load(job.id);
    }
  }
}
