import type { Logger } from '../ports.ts';
import type { JobReader } from './job-reader.ts';
import type { BaseJob } from './job.ts';

/** Removes jobs from the queue. None of them may start again meanwhile. */
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
   * Deletes the data of each job that `may` be cleared, then calls `remove`. Works in slices, so that other work can run.
   * Local leftovers are removed, or the failure logged, before it resolves.
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

  /** Yields each job once its data is deleted; yields null for a step in between. */
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
      // Called while the job still records the location of its leftovers.
      const leftover = driver.removeLeftovers?.(job, ({ error }) =>
        this.#logger.warn('What a job has left could not be removed.', { jobId: job.id, error }),
      );
      if (leftover !== undefined) leftovers.push(leftover);
      while (driver.removeSome?.(job.id) === true) yield null;
      // Loading sets aside a record broken meanwhile and takes it out of the counts.
      yield this.#reader.load(job.id);
    }
  }
}
