import { failure, toAppError } from '../../../shared/errors.ts';
import { jobStates, type JobFilter } from '../../../shared/models/jobs.ts';
import { inSlices } from '../flow/loops.ts';
import type { Clock, Logger } from '../ports.ts';
import type { JobChanges } from './changes.ts';
import type { JobReader } from './job-reader.ts';
import type { StoredJob } from './job-rows.ts';
import type { JobStore } from './job-store.ts';
import type { BaseJob } from './job.ts';
import type { RefusedWrites } from './refused-writes.ts';

/** A new job, with further writes for the same transaction. */
export interface Submission {
  readonly job: BaseJob;
  readonly write?: () => void;
}

interface JobSlicesDeps {
  readonly store: JobStore;
  readonly reader: JobReader;
  readonly refused: RefusedWrites;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly changes: JobChanges;
  /** Starts the jobs that may start. Called after each slice. */
  readonly schedule: () => void;
  readonly isStopped: () => boolean;
}

/** Reads and writes many jobs in slices of one transaction each, so that other work can run between them. */
export class JobSlices {
  readonly #deps: JobSlicesDeps;

  constructor(deps: JobSlicesDeps) {
    this.#deps = deps;
  }

  /** Yields each matching id once, even if the job changes meanwhile, and null between steps. */
  *idsOf(filter: JobFilter): Generator<string | null> {
    const found = new Set<string>();
    for (const state of filter.states ?? jobStates)
      for (let after: number | undefined = 0; after !== undefined;) {
        const page = this.#deps.store.idsInState(state, filter.connectionId, after, idsPage);
        for (const { id } of page) found.add(id);
        after = page.at(-1)?.seq;
        yield null;
      }
    yield* found;
  }

  /** Calls `work` for all items, in slices of one transaction each. Other work can run between slices. */
  async inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    const slice = (run: () => void): void => {
      if (this.#deps.isStopped()) throw failure('cancelled', 'Cooper is quitting.');
      this.#deps.store.transaction(run);
      this.#deps.schedule();
    };
    await inSlices(this.#deps.clock, items, slice, work);
  }

  /**
   * Creates many jobs, with one transaction per slice of the input. `make` returns the job or throws. Calls `made` for each
   * stored job. If `make` throws or the disk rejects the slice, calls `refuse` instead.
   */
  async submitMany<T>(
    requests: Iterable<T>,
    make: (request: T) => Submission,
    made: (jobId: string) => unknown,
    refuse: (request: T, thrown: unknown) => unknown,
  ): Promise<void> {
    let slice: {
      readonly request: T;
      readonly outcome: { readonly id: string } | { readonly thrown: unknown };
    }[] = [];
    await inSlices(
      this.#deps.clock,
      requests,
      (run) => {
        slice = [];
        try {
          this.#deps.store.transaction(run);
        } catch (thrown) {
          for (const { request } of slice) refuse(request, thrown);
          return;
        }
        for (const { request, outcome } of slice)
          if ('id' in outcome) made(outcome.id);
          else refuse(request, outcome.thrown);
        this.#deps.schedule();
      },
      (request) => {
        let submission: Submission;
        try {
          submission = make(request);
        } catch (thrown) {
          slice.push({ request, outcome: { thrown } });
          // Part of a change may already be written, so the whole slice must fail.
          if (toAppError(thrown).code === 'storage') throw thrown;
          return;
        }
        slice.push({ request, outcome: { id: submission.job.id } });
        this.insert(submission);
      },
    );
  }

  /** Stores a new job. Must be called in a transaction. */
  insert({ job, write }: Submission): void {
    this.#deps.store.insert(job);
    write?.();
    this.#deps.store.afterCommit(() => {
      this.#deps.changes.added(job.state);
      this.#deps.changes.touch(job.id);
    });
  }

  /** Sends an event for which no caller waits. If the disk rejects it, sends it again once the disk accepts writes. */
  inBackground(tell: () => Promise<unknown>): void {
    tell().catch((thrown: unknown) => {
      if (this.#deps.isStopped()) return;
      const { code, message } = toAppError(thrown);
      if (code !== 'storage') {
        this.#deps.logger.error('Could not report job changes', { message });
        return;
      }
      this.#deps.refused.keepTelling(tell);
      this.#deps.refused.failed(thrown);
    });
  }

  /** Moves rows that contradict their record to `job_broken`. Queries use the row's columns, so such a job might never run. */
  async setUnfitAside(): Promise<void> {
    const { store, reader } = this.#deps;
    const pages = function* (): Generator<readonly StoredJob[]> {
      for (let page = store.unfit(0, checkedRows); page !== null;) {
        yield page.rows;
        page = store.unfit(page.lastSeq, checkedRows);
      }
    };
    await this.inSlices(pages(), (rows) => {
      for (const row of rows) reader.setAside(row, 'The row and its record do not agree.');
    });
  }
}

const idsPage = 1000;
/**
 * The number of rows to check in a slice. Reading and comparing one takes up to 0.2 ms on a slow disk, and a slice must be
 * shorter than a frame.
 */
const checkedRows = 50;
