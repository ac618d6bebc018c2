import type { AppError } from '../../../shared/errors.ts';
import type { Job, JobFilter } from '../../../shared/models/jobs.ts';
import { lastOf } from '../flow/loops.ts';
import type { Effects } from './effects.ts';
import type { JobReader } from './job-reader.ts';
import type { RefusedWrites } from './refused-writes.ts';
import type { JobStore } from './job-store.ts';
import type { StoredJob } from './job-rows.ts';
import { isFinal, type BaseJob } from './job.ts';
import { whyUnattended, type Unattended } from './unattended.ts';

interface JobModelsDeps {
  readonly store: JobStore;
  readonly reader: JobReader;
  readonly effects: Effects;
  readonly refused: RefusedWrites;
  /** The jobs that stopped because of a bug in the program, with its error. */
  readonly stuck: ReadonlyMap<string, AppError>;
}

/** Creates the jobs that the window shows, from stored jobs and the state of the current run. */
export class JobModels {
  readonly #deps: JobModelsDeps;

  constructor(deps: JobModelsDeps) {
    this.#deps = deps;
  }

  /** Returns a page of the matching jobs. Other work runs meanwhile. Throws the signal's reason if aborted. */
  async list(
    filter: JobFilter,
    offset: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ jobs: Job[]; total: number }> {
    const { rows, total } = await lastOf(this.#deps.store.list(filter, offset, limit), signal);
    return { jobs: rows.flatMap((row) => this.#ofRow(row) ?? []), total };
  }

  job(jobId: string): Job | null {
    const row = this.#deps.store.load(jobId);
    return row === null ? null : this.#ofRow(row);
  }

  of(job: BaseJob): Job {
    const { reader, effects, stuck, refused } = this.#deps;
    const model = reader.driverOf(job.kind).toModel(job, effects.live(job.id));
    const fault = stuck.get(job.id);
    if (fault !== undefined && !isFinal(job.state))
      return { ...model, state: 'needs-attention', reason: 'program-fault', error: fault };
    if (refused.error !== null && refused.has(job.id))
      return { ...model, state: 'paused', reason: 'disk-full', error: refused.error };
    const wait = effects.waitOf(job.id);
    if (wait === null) return model;
    return { ...model, wait: { until: new Date(wait.untilMs).toISOString(), error: wait.error } };
  }

  /** Returns the unfinished jobs that nothing will ever continue (see `whyUnattended`). Reads every unfinished job. */
  unattended(jobsAtOnce: number, timerAtMs: number | null): readonly Unattended[] {
    const { store, effects, refused } = this.#deps;
    const held = new Set(effects.lockKeys);
    const slotIsFree = effects.count < jobsAtOnce;
    const found: Unattended[] = [];
    for (let page = store.unfinished(0, pageRows); page.length > 0;) {
      for (const row of page) {
        const job = this.#ofRow(row);
        if (job === null) continue;
        const why = whyUnattended({
          job,
          storedState: row.state,
          dueMs: row.dueMs,
          hasEffect: effects.has(row.id),
          waitsForDisk: refused.error !== null || refused.has(row.id),
          mayStart: slotIsFree && !held.has(row.lockKey),
          timerAtMs,
          diskTimerIsSet: refused.timerIsSet,
        });
        if (why !== null) found.push({ jobId: row.id, state: row.state, why });
      }
      page = store.unfinished(page.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER, pageRows);
    }
    return found;
  }

  #ofRow(row: StoredJob): Job | null {
    return this.#deps.reader.readable(row, (job) => this.of(job));
  }
}

const pageRows = 1000;
