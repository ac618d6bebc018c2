import { AppFailure, failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import type { JobChanges } from './changes.ts';
import type { Clearing } from './clearing.ts';
import type { Effects } from './effects.ts';
import type { JobModels } from './job-models.ts';
import type { AnyEvent, JobReader } from './job-reader.ts';
import type { JobStore } from './job-store.ts';
import { isFinal, isInFlight, isResting, runningStates, type BaseJob, type NewAttempt } from './job.ts';
import type { RefusedWrites, UnstoredEvent } from './refused-writes.ts';

interface JobTransitionsDeps {
  readonly store: JobStore;
  readonly reader: JobReader;
  readonly effects: Effects;
  readonly refused: RefusedWrites;
  readonly clearing: Clearing;
  readonly models: JobModels;
  readonly changes: JobChanges;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The jobs that stopped because of a bug in the program, with the error of each. Other jobs continue. */
  readonly stuck: Map<string, AppError>;
  readonly isStopped: () => boolean;
  /** Called once when a job has stopped for good or until the user acts. */
  readonly onSettled?: ((job: Job) => void) | undefined;
  /** Called after jobs were completed or cancelled, so that data needed only by these jobs can be deleted. */
  readonly onGone?: (() => void) | undefined;
}

/** Lets the driver of a job decide about an event, stores the decision, and then carries it out. */
export class JobTransitions {
  readonly #deps: JobTransitionsDeps;

  constructor(deps: JobTransitionsDeps) {
    this.#deps = deps;
  }

  /** Starts the effects again that were running when the program ended. */
  restartAll(): void {
    this.#deps.store.transaction(() => {
      for (let page = this.#deps.store.unscheduled(runningStates, 0, 1000); page.length > 0;) {
        for (const row of page) {
          const job = this.#deps.reader.parse(row);
          if (job !== null) this.apply(job, { kind: 'restarted' });
        }
        page = this.#deps.store.unscheduled(runningStates, page.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER, 1000);
      }
      // No job waits this long, so the clock was set back after these due times were computed.
      for (const id of this.#deps.store.idsDueAfter(this.#deps.clock.nowMs() + maxWaitMs))
        this.handle(id, { kind: 'retry-now', isAutomatic: true });
    });
  }

  /** Handles an event from outside the engine. Its effects start after it was stored. */
  handle(jobId: string, event: AnyEvent): boolean {
    if (this.#deps.clearing.has(jobId)) return false;
    const job = this.#deps.reader.load(jobId);
    if (job === null) return false;
    if (this.#deps.stuck.has(jobId))
      this.#deps.store.transaction(() => this.apply(this.#unstick(job), event));
    else this.apply(job, event);
    if (event.kind === 'retry-now') this.#deps.store.afterCommit(() => this.#deps.effects.endWait(jobId));
    return true;
  }

  /** Handles an event like `handle`, but an error of one job's driver does not affect other jobs. */
  handleIsolated(jobId: string, event: AnyEvent): boolean {
    try {
      return this.handle(jobId, event);
    } catch (thrown) {
      if (!(thrown instanceof WrongDecision)) throw thrown;
      this.stick(jobId, thrown);
      return true;
    }
  }

  /** Lets a job that stopped because of a bug continue with the user's next event. Must be called in a transaction. */
  #unstick(job: BaseJob): BaseJob {
    this.#deps.store.afterCommit(() => {
      this.#deps.stuck.delete(job.id);
      this.#deps.changes.touch(job.id);
    });
    if (!isInFlight(job)) return job;
    this.apply(job, { kind: 'restarted' });
    return this.#deps.reader.load(job.id) ?? job;
  }

  /**
   * Stores a decision and then carries it out. `nowMs` is the time that led to the event. Throws `AppError('internal')` without a
   * driver for the job, `AppError('storage')` if the disk rejects the write, and WrongDecision if the driver's transition throws.
   */
  apply(job: BaseJob, event: AnyEvent, write?: () => void, nowMs = this.#deps.clock.nowMs()): void {
    const driver = this.#deps.reader.driverOf(job.kind);
    const moment = { nowMs, fraction: this.#deps.random.fraction() };
    const step = runTransition(() => driver.transition(job, event, moment));
    const next: BaseJob = step.job;
    if (next === job && write === undefined) return;
    this.#deps.store.transaction(() => {
      if (next !== job) this.#deps.store.update(next);
      driver.persist?.(next, event);
      write?.();
      this.#deps.store.afterCommit(() => this.#act(job, next, step.effects));
    });
  }

  #act(job: BaseJob, next: BaseJob, effects: readonly { readonly kind: string }[]): void {
    this.#deps.changes.moved(job.state, next.state);
    this.#deps.changes.touch(next.id);
    for (const effect of effects) {
      if (effect.kind === 'stop') this.#deps.effects.stop(next.id);
      else this.#deps.effects.begin(next, effect);
    }
    const run = this.#deps.effects.runOf(next.id);
    if (run !== null && run !== next.run) this.#deps.effects.stop(next.id);
    if (isFinal(next.state) && !isFinal(job.state)) this.#deps.clearing.finished(next.id);
    if (next.state !== job.state && isResting(next.state)) this.#settled(next);
  }

  #settled(job: BaseJob): void {
    try {
      if (isFinal(job.state)) this.#deps.onGone?.();
      const model = this.#deps.models.of(job);
      this.#deps.changes.settled(model);
      if (model.reason !== 'by-user' && model.state !== 'cancelled') this.#deps.onSettled?.(model);
    } catch (thrown) {
      // An error in a callback must not undo the end of a job.
      this.#deps.logger.error('Could not report the end of a job', { thrown: String(thrown) });
    }
  }

  /** Handles an effect that ended without an event, because its job would otherwise wait forever. */
  stopUndecided(jobId: string, run: number): void {
    if (this.#deps.isStopped() || this.#deps.refused.has(jobId) || this.#deps.stuck.has(jobId)) return;
    const row = this.#deps.store.load(jobId);
    const job = row === null ? null : this.#deps.reader.parse(row);
    if (job === null || job.run !== run || !isInFlight(job)) return;
    this.stick(
      jobId,
      failure('internal', `An effect ended without an event; the job is still in the state ${job.state}.`),
    );
  }

  /** Handles an event from an effect. If the disk rejects the write, keeps the event, in order, for a retry. */
  deliver(jobId: string, run: number, event: AnyEvent, write?: () => void): void {
    if (this.#deps.refused.has(jobId)) {
      this.#deps.refused.keep(jobId, { event, run, write });
      return;
    }
    try {
      const job = this.#deps.reader.load(jobId);
      if (job === null || job.run !== run) return;
      this.apply(job, event, write);
    } catch (thrown) {
      if (isProgramFault(thrown)) {
        this.stick(jobId, thrown);
        return;
      }
      this.#deps.refused.keep(jobId, { event, run, write });
      this.#deps.refused.failed(thrown);
      this.#deps.changes.touch(jobId);
    }
  }

  storeAgain(jobId: string, { event, run, write }: UnstoredEvent): void {
    const job = this.#deps.reader.load(jobId);
    try {
      if (job !== null && job.run === run) this.apply(job, event, write);
    } catch (thrown) {
      if (!isProgramFault(thrown)) throw thrown;
      this.stick(jobId, thrown);
    }
  }

  log(jobId: string, attempt: NewAttempt): void {
    if (this.#deps.isStopped()) return;
    try {
      this.#deps.store.transaction(() =>
        this.#deps.store.addAttempt(jobId, this.#deps.clock.nowMs(), attempt),
      );
    } catch (thrown) {
      // An error while logging must not stop the job.
      this.#deps.logger.warn('Could not log an attempt', { message: toAppError(thrown).message });
    }
  }

  stick(jobId: string, thrown: unknown): void {
    const error = toAppError(thrown instanceof WrongDecision ? thrown.cause : thrown);
    this.#deps.logger.error('A job cannot continue', { jobId, message: error.message });
    this.#deps.stuck.set(jobId, error);
    this.#deps.refused.forget(jobId);
    this.#deps.effects.stop(jobId);
    this.#deps.changes.touch(jobId);
  }
}

/** Returns true for an error that a retry cannot fix and that the disk did not cause. Such an error stops only this job. */
export function isProgramFault(thrown: unknown): boolean {
  if (thrown instanceof WrongDecision) return true;
  return (
    thrown instanceof AppFailure && (thrown.error.code === 'internal' || thrown.error.reason === 'refused')
  );
}

/** A driver's transition threw, which is a bug. */
class WrongDecision extends Error {}

function runTransition<T>(decide: () => T): T {
  try {
    return decide();
  } catch (cause) {
    throw new WrongDecision('The transition of a job threw an error.', { cause });
  }
}

/** The longest possible wait of a job, since Retry-After is limited to one hour. */
const maxWaitMs = 61 * 60_000;
