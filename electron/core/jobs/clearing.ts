import type { Logger } from '../ports.ts';
import type { JobReader } from './job-reader.ts';
import type { JobStore } from './job-store.ts';
import type { BaseJob, FinishedJob } from './job.ts';

/** Removes jobs from the queue. A job that is being removed cannot start again. */
export class Clearing {
  readonly #store: JobStore;
  readonly #reader: JobReader;
  readonly #logger: Logger;
  readonly #under = new Set<string>();
  /** For each request to clear all finished jobs, the jobs that finished after it. They stay in the queue. */
  readonly #finishedSince = new Set<Set<string>>();

  constructor(store: JobStore, reader: JobReader, logger: Logger) {
    this.#store = store;
    this.#reader = reader;
    this.#logger = logger;
  }

  /**
   * Records that a job has just finished. Requests to clear all finished jobs that were made before it finished do not remove it.
   */
  finished(jobId: string): void {
    for (const since of this.#finishedSince) since.add(jobId);
  }

  /**
   * Removes finished jobs that have little data, many in one slice, and reports them to `onRemoved` in the same transaction.
   * Yields the ids of all others, and null between steps.
   */
  *allFinished(onRemoved: (jobId: string, state: 'done' | 'cancelled') => void): Generator<string | null> {
    const since = new Set<string>();
    this.#finishedSince.add(since);
    try {
      for (const state of ['done', 'cancelled'] as const)
        for (let after: number | undefined = 0; after !== undefined;) {
          const page = this.#store.finished(state, after, pageRows);
          after = page.at(-1)?.seq;
          let left: readonly FinishedJob[] = page.filter(({ id }) => !since.has(id));
          yield null;
          while (left[0] !== undefined) {
            const removed = new Set(this.#clearAtOnce(left, left[0].kind));
            this.#store.remove([...removed]);
            for (const id of removed) onRemoved(id, state);
            yield removed.size > 0 ? null : left[0].id;
            left = removed.size > 0 ? left.filter(({ id }) => !removed.has(id)) : left.slice(1);
          }
        }
    } finally {
      this.#finishedSince.delete(since);
    }
  }

  #clearAtOnce(jobs: readonly FinishedJob[], kind: string): readonly string[] {
    // Loading this record later moves it to `job_broken`.
    if (!this.#reader.hasDriver(kind)) return [];
    const driver = this.#reader.driverOf(kind);
    const ofDriver = jobs.filter((job) => driver.kinds.some((kindOfDriver) => kindOfDriver === job.kind));
    if (driver.clearAtOnce !== undefined) return driver.clearAtOnce(ofDriver);
    const isAlone = driver.removeSome !== undefined || driver.removeLeftovers !== undefined;
    return isAlone ? [] : ofDriver.map(({ id }) => id);
  }

  has(jobId: string): boolean {
    return this.#under.has(jobId);
  }

  /**
   * Deletes the data of each job for which `may` returns true, then calls `remove`. Works in slices, so that other work can run.
   * Resolves after local leftovers were deleted, or the failure was logged.
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

  /** Yields each job after its data was deleted, and null between steps. */
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
      // The driver must read where the leftovers are before the stored job is removed.
      const leftover = driver.removeLeftovers?.(job, ({ error }) =>
        this.#logger.warn('Could not remove the files of a removed job.', { jobId: job.id, error }),
      );
      if (leftover !== undefined) leftovers.push(leftover);
      while (driver.removeSome?.(job.id) === true) yield null;
      // Loading again also handles a record that was damaged meanwhile: it moves to `job_broken` and leaves the counts.
      yield this.#reader.load(job.id);
    }
  }
}

/** The number of finished jobs to read in one step, which takes a few milliseconds. */
const pageRows = 100;
