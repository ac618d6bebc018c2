import { failure } from '../../../shared/errors.ts';
import type { Clock, Logger } from '../ports.ts';
import type { JobStore } from './job-store.ts';
import type { StoredJob } from './job-rows.ts';
import type { BaseJob, Driver } from './job.ts';

/** A driver of any job type; the engine passes only the driver's own jobs and events to it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds drivers of different job types
export type AnyDriver = Driver<any, any, any>;

export interface AnyEvent {
  readonly kind: string;
  readonly [field: string]: unknown;
}

interface JobReaderDeps {
  readonly store: JobStore;
  readonly drivers: readonly AnyDriver[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reads stored jobs with their drivers. Moves records that cannot be read to the table `job_broken`. */
export class JobReader {
  readonly #deps: JobReaderDeps;
  readonly #drivers = new Map<string, AnyDriver>();
  readonly #onBroken: (state: string) => void;

  constructor(deps: JobReaderDeps, onBroken: (state: string) => void) {
    this.#deps = deps;
    this.#onBroken = onBroken;
    for (const driver of deps.drivers) for (const kind of driver.kinds) this.#drivers.set(kind, driver);
  }

  /** Returns the driver of a kind of job. Throws `AppError('internal')` when there is none. */
  driverOf(kind: string): AnyDriver {
    const driver = this.#drivers.get(kind);
    if (driver === undefined) throw failure('internal', `No driver for jobs of kind ${kind}.`);
    return driver;
  }

  hasDriver(kind: string): boolean {
    return this.#drivers.has(kind);
  }

  /** Returns null if the job does not exist or its record was moved to `job_broken`. */
  load(jobId: string): BaseJob | null {
    const row = this.#deps.store.load(jobId);
    return row === null ? null : this.parse(row);
  }

  /** Returns null if the record cannot be read; it is then moved to `job_broken`. */
  parse(row: StoredJob): BaseJob | null {
    return this.readable(row, (job) => job);
  }

  /** Converts a stored job. If it cannot be read or contradicts its row, moves it to `job_broken` and returns null. */
  readable<T>(row: StoredJob, make: (job: BaseJob) => T): T | null {
    try {
      const job: BaseJob = this.driverOf(row.kind).parse(JSON.parse(row.data));
      refuseOtherRow(row, job);
      return make(job);
    } catch (thrown) {
      this.setAside(row, String(thrown));
      return null;
    }
  }

  setAside(row: StoredJob, why: string): void {
    const { logger, store, clock } = this.#deps;
    logger.error('Could not read a job; it was set aside', { jobId: row.id, thrown: why });
    store.setAside(row, why, clock.nowMs());
    this.#onBroken(row.state);
  }
}

/** Throws if the columns of a row contradict its record, because one of the two was damaged. */
function refuseOtherRow(row: StoredJob, job: BaseJob): void {
  for (const field of ['id', 'kind', 'state', 'connectionId', 'lockKey', 'dueMs'] as const)
    if (row[field] !== job[field])
      throw failure(
        'storage',
        `The row has ${field} ${String(row[field])}, its record ${String(job[field])}.`,
      );
}
