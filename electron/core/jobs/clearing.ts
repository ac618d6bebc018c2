import type { AppError } from '../../../shared/errors.ts';
import type { Logger } from '../ports.ts';
import type { JobChanges } from './changes.ts';
import type { JobReader } from './job-reader.ts';
import type { JobSlices } from './job-slices.ts';
import type { JobStore } from './job-store.ts';
import { isFinal, type BaseJob, type FinishedJob } from './job.ts';

interface ClearingDeps {
  readonly store: JobStore;
  readonly reader: JobReader;
  readonly slices: JobSlices;
  readonly changes: JobChanges;
  readonly logger: Logger;
  /** The jobs that stopped because of a bug in the program. */
  readonly stuck: Map<string, AppError>;
}

/** Removes jobs from the queue. A job that is being removed cannot start again. */
export class Clearing {
  readonly #deps: ClearingDeps;
  readonly #under = new Set<string>();
  /** For each request to clear all finished jobs, the jobs that finished after it. They stay in the queue. */
  readonly #finishedSince = new Set<Set<string>>();

  constructor(deps: ClearingDeps) {
    this.#deps = deps;
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
  *#allFinished(onRemoved: (jobId: string, state: 'done' | 'cancelled') => void): Generator<string | null> {
    const since = new Set<string>();
    this.#finishedSince.add(since);
    try {
      for (const state of ['done', 'cancelled'] as const)
        for (let after: number | undefined = 0; after !== undefined;) {
          const page = this.#deps.store.finished(state, after, pageRows);
          after = page.at(-1)?.seq;
          let left: readonly FinishedJob[] = page.filter(({ id }) => !since.has(id));
          yield null;
          while (left[0] !== undefined) {
            const removed = new Set(this.#clearAtOnce(left, left[0].kind));
            this.#deps.store.remove([...removed]);
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
    if (!this.#deps.reader.hasDriver(kind)) return [];
    const driver = this.#deps.reader.driverOf(kind);
    const ofDriver = jobs.filter((job) => driver.kinds.some((kindOfDriver) => kindOfDriver === job.kind));
    if (driver.clearAtOnce !== undefined) return driver.clearAtOnce(ofDriver);
    const isAlone = driver.removeSome !== undefined || driver.removeLeftovers !== undefined;
    return isAlone ? [] : ofDriver.map(({ id }) => id);
  }

  has(jobId: string): boolean {
    return this.#under.has(jobId);
  }

  /**
   * Removes these jobs with their data, if they are final, need attention or stopped because of a bug; null removes all finished
   * jobs. Works in slices, so that other work can run. Resolves with the number of removed jobs, after local leftovers were deleted
   * or the failure was logged.
   */
  async clear(jobIds: readonly string[] | null): Promise<number> {
    const { store, slices, stuck, changes } = this.#deps;
    let removed = 0;
    const report = (jobId: string, state: BaseJob['state']): void =>
      store.afterCommit(() => {
        stuck.delete(jobId);
        changes.removed(jobId, state);
        removed += 1;
      });
    const begun = new Set<string>();
    const leftovers: Promise<void>[] = [];
    try {
      await slices.inSlices(this.#emptied(jobIds ?? this.#allFinished(report), begun, leftovers), (job) => {
        if (job === null) return;
        store.remove([job.id]);
        report(job.id, job.state);
      });
    } finally {
      await Promise.all(leftovers);
      for (const id of begun) this.#under.delete(id);
    }
    return removed;
  }

  #mayClear(job: BaseJob): boolean {
    return isFinal(job.state) || job.state === 'needs-attention' || this.#deps.stuck.has(job.id);
  }

  /** Yields each job after its data was deleted, and null between steps. */
  *#emptied(
    jobIds: Iterable<string | null>,
    begun: Set<string>,
    leftovers: Promise<void>[],
  ): Generator<BaseJob | null> {
    for (const id of jobIds) {
      const job = id === null ? null : this.#deps.reader.load(id);
      if (job === null || !this.#mayClear(job)) {
        yield null;
        continue;
      }
      begun.add(job.id);
      this.#under.add(job.id);
      const driver = this.#deps.reader.driverOf(job.kind);
      // The driver must read where the leftovers are before the stored job is removed.
      const leftover = driver.removeLeftovers?.(job, ({ error }) =>
        this.#deps.logger.warn('Could not remove the files of a removed job.', { jobId: job.id, error }),
      );
      if (leftover !== undefined) leftovers.push(leftover);
      while (driver.removeSome?.(job.id) === true) yield null;
      // Loading again also handles a record that was damaged meanwhile: it moves to `job_broken` and leaves the counts.
      yield this.#deps.reader.load(job.id);
    }
  }
}

/** The number of finished jobs to read in one step, which takes a few milliseconds. */
const pageRows = 100;
