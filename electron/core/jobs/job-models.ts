import type { AppError } from '../../../shared/errors.ts';
import type { Job, JobFilter } from '../../../shared/models/jobs.ts';
import { lastOf } from '../flow/loops.ts';
import type { Effects } from './effects.ts';
import type { JobReader } from './job-reader.ts';
import type { RefusedWrites } from './refused-writes.ts';
import type { JobStore } from './job-store.ts';
import type { StoredJob } from './job-rows.ts';
import { isFinal, type BaseJob, runningStates } from './job.ts';

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
    const heldLocks = new Set(effects.lockKeys);
    const isSlotFree = effects.count < jobsAtOnce;
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
          mayStart: isSlotFree && !heldLocks.has(row.lockKey),
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

/** An unfinished job that nothing will ever continue. */
export interface Unattended {
  readonly jobId: string;
  readonly state: string;
  readonly why: string;
}

/** The facts that the engine knows about an unfinished job. */
interface UnfinishedJobFacts {
  readonly job: Pick<Job, 'id' | 'state' | 'reason'>;
  /** The stored state. The model may show another one for a job whose event could not be stored. */
  readonly storedState: string;
  readonly dueMs: number | null;
  readonly hasEffect: boolean;
  /** True if the disk rejects writes, so the job's events are pending or no job may start. */
  readonly waitsForDisk: boolean;
  /** True if a slot is free and no ending effect holds the job's lock. */
  readonly mayStart: boolean;
  /** When the engine's timer fires; null if it is not set. */
  readonly timerAtMs: number | null;
  readonly diskTimerIsSet: boolean;
}

/**
 * Checks the queue's rule: an unfinished job has a running effect, a timer, or a reason in its row with a button that continues
 * it. Returns the violation; null if there is none.
 */
function whyUnattended(facts: UnfinishedJobFacts): string | null {
  const { job, storedState, dueMs } = facts;
  if (facts.hasEffect) return null;
  if (facts.waitsForDisk)
    return facts.diskTimerIsSet ? null : 'waits for the disk, but no timer retries the write';
  // A paused job has the button "Resume". One that needs attention has a remedy, "Try again now" or "Cancel".
  if (job.state === 'paused' || job.state === 'needs-attention')
    return job.reason === null ? 'rests without a reason' : null;
  const startsByItself = storedState === 'waiting' || dueMs !== null;
  if (!startsByItself)
    return (runningStates as readonly string[]).includes(storedState)
      ? 'is in a running state, but no effect runs'
      : 'waits for an event that never comes';
  if (dueMs !== null && facts.timerAtMs !== null && facts.timerAtMs <= dueMs) return null;
  if (storedState !== 'waiting' && facts.timerAtMs === null && facts.mayStart)
    return 'no timer is set for its time';
  return facts.mayStart ? 'may start, but was not started' : null;
}
