import { AppFailure, failure, toAppError, type AppError } from '../../../shared/errors.ts';
import {
  jobStates,
  type Attempt,
  type Job,
  type JobFilter,
  type JobSettings,
  type Turn,
} from '../../../shared/models/jobs.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import { JobChanges } from './changes.ts';
import { DueTimer } from './due-timer.ts';
import { Clearing } from './clearing.ts';
import { Effects } from './effects.ts';
import { JobReader, type AnyDriver, type AnyEvent } from './job-reader.ts';
import { RefusedWrites, type UnstoredEvent } from './refused-writes.ts';
import { inSlices } from '../flow/loops.ts';
import type { JobStore } from './job-store.ts';
import type { StoredJob } from './job-rows.ts';
import {
  isFinal,
  isResting,
  isInFlight,
  runningStates,
  type BaseJob,
  type EngineEvent,
  type NewAttempt,
} from './job.ts';
import { type Unattended, JobModels } from './job-models.ts';

export interface EngineDeps {
  readonly store: JobStore;
  readonly drivers: readonly AnyDriver[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Called once when a job has stopped for good or until the user acts. */
  readonly onSettled?: (job: Job) => void;
  /** Called after jobs were completed, cancelled or cleared, so that data needed only by these jobs can be deleted. */
  readonly onGone?: () => void;
}

/** A new job, with further writes for the same transaction. */
export interface Submission {
  readonly job: BaseJob;
  readonly write?: () => void;
}

/** Runs jobs: chooses the next one, lets its driver decide, and stores each decision before it is carried out. */
export class JobEngine {
  readonly #deps: EngineDeps;
  readonly #store: JobStore;
  readonly #reader: JobReader;
  readonly #effects: Effects;
  readonly #refused: RefusedWrites;
  readonly #clearing: Clearing;
  readonly #models: JobModels;
  /** The jobs that stopped because of a bug in the program, with the error of each. Other jobs continue. */
  readonly #stuck = new Map<string, AppError>();
  readonly changes: JobChanges;
  #settings: JobSettings;
  readonly #timer: DueTimer;
  #lastReading: { readonly wallMs: number; readonly steadyMs: number } | null = null;
  #hasRecovered = false;
  #started = false;
  #stopped = false;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#store = deps.store;
    const { clock, logger } = deps;
    this.#reader = new JobReader(deps, (state) => this.changes.broke(state));
    this.#effects = new Effects({
      clock,
      logger,
      driverOf: (kind) => this.#reader.driverOf(kind),
      deliver: (jobId, run, event, write) => this.#deliver(jobId, run, event, write),
      log: (jobId, attempt) => this.#log(jobId, attempt),
      touch: (jobId) => this.changes.touch(jobId),
      ended: (jobId, run) => this.#stopUndecided(jobId, run),
      freed: () => this.#schedule(),
    });
    this.#refused = new RefusedWrites(clock, logger, () => this.#retryStore());
    this.#clearing = new Clearing(this.#store, this.#reader, logger);
    this.#models = new JobModels({
      store: this.#store,
      reader: this.#reader,
      effects: this.#effects,
      refused: this.#refused,
      stuck: this.#stuck,
    });
    this.#settings = this.#store.readSettings();
    this.changes = new JobChanges(deps.clock, this.#store, (id) => this.#models.job(id));
    this.#timer = new DueTimer(deps.clock, () => this.#schedule());
  }

  get settings(): JobSettings {
    return this.#settings;
  }

  updateSettings(patch: {
    readonly [Name in keyof JobSettings]?: JobSettings[Name] | undefined;
  }): JobSettings {
    const next: JobSettings = {
      parallelParts: patch.parallelParts ?? this.#settings.parallelParts,
      jobsAtOnce: patch.jobsAtOnce ?? this.#settings.jobsAtOnce,
      bandwidthBytesPerSecond:
        patch.bandwidthBytesPerSecond === undefined
          ? this.#settings.bandwidthBytesPerSecond
          : patch.bandwidthBytesPerSecond,
    };
    this.#store.writeSettings(next);
    this.#settings = next;
    this.#schedule();
    return next;
  }

  /**
   * Continues the jobs of an earlier run of the program. First reads only the jobs that were running; checks all others later.
   */
  start(): void {
    this.#started = true;
    try {
      this.#recover();
    } catch (thrown) {
      this.#refused.failed(thrown);
    }
    this.#schedule();
    this.#inBackground(() => this.#setUnfitAside());
  }

  /** Stops all effects without changing a job. The next start continues from the stored jobs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer.clear();
    this.#refused.close();
    this.changes.close();
    await this.#effects.close();
  }

  /** Stores a new job. `write` is part of the same transaction. */
  submit(job: BaseJob, write?: () => void): void {
    this.#store.transaction(() => this.#insert({ job, ...(write === undefined ? {} : { write }) }));
    this.#store.afterCommit(() => this.#schedule());
  }

  /**
   * Creates many jobs, with one transaction per slice of the input. `make` returns the job or throws. Calls `made` for each
   * stored job. If `make` throws or the disk rejects the slice, calls `refuse` instead.
   */
  async submitMany<T>(
    wishes: Iterable<T>,
    make: (wish: T) => Submission,
    made: (jobId: string) => unknown,
    refuse: (wish: T, thrown: unknown) => unknown,
  ): Promise<void> {
    let slice: {
      readonly wish: T;
      readonly outcome: { readonly id: string } | { readonly thrown: unknown };
    }[] = [];
    await inSlices(
      this.#deps.clock,
      wishes,
      (run) => {
        slice = [];
        try {
          this.#store.transaction(run);
        } catch (thrown) {
          for (const { wish } of slice) refuse(wish, thrown);
          return;
        }
        for (const { wish, outcome } of slice)
          if ('id' in outcome) made(outcome.id);
          else refuse(wish, outcome.thrown);
        this.#schedule();
      },
      (wish) => {
        let submission: Submission;
        try {
          submission = make(wish);
        } catch (thrown) {
          slice.push({ wish, outcome: { thrown } });
          // Part of a change may already be written, so the whole slice must fail.
          if (toAppError(thrown).code === 'storage') throw thrown;
          return;
        }
        slice.push({ wish, outcome: { id: submission.job.id } });
        this.#insert(submission);
      },
    );
  }

  #insert({ job, write }: Submission): void {
    this.#store.insert(job);
    write?.();
    this.#store.afterCommit(() => {
      this.changes.added(job.state);
      this.changes.touch(job.id);
    });
  }

  /** Makes jobs that wait for a retry continue at once, after the computer slept or when the network is back. */
  wake(): void {
    this.#effects.endWaits();
    const filter: JobFilter = { states: ['retry-scheduled', 'verifying-outcome'], connectionId: null };
    this.#inBackground(() => this.sendMany(null, filter, { kind: 'retry-now' }));
  }

  /** Continues jobs that waited for new credentials or settings of a connection. */
  connectionChanged(connectionId: string): void {
    const filter: JobFilter = { states: ['paused', 'needs-attention'], connectionId };
    this.#inBackground(() => this.sendMany(null, filter, { kind: 'keys-changed' }));
  }

  /**
   * Sends an event from the user or from another part of the program to a job. Returns false if the job does not exist. Throws
   * WrongDecision if the driver's transition throws.
   */
  send(jobId: string, event: AnyEvent): boolean {
    this.#retryStoreIfAsked(event);
    const isThere = this.#handle(jobId, event);
    this.#store.afterCommit(() => this.#schedule());
    return isThere;
  }

  /** Sends an event to these jobs, or to all that match the filter. Returns how many received it. */
  async sendMany(jobIds: readonly string[] | null, filter: JobFilter, event: EngineEvent): Promise<number> {
    this.#retryStoreIfAsked(event);
    let count = 0;
    await this.#inSlices<string | null>(jobIds ?? this.#idsOf(filter), (id) => {
      if (id !== null && this.#handleIsolated(id, event)) count += 1;
    });
    return count;
  }

  /** Pauses every job that could run. Called before the queue starts, when the stored records may be outdated. */
  pauseAll(): void {
    const states = jobStates.filter((state) => !isResting(state));
    this.#store.transaction(() => {
      for (const id of this.#idsOf({ states, connectionId: null }))
        if (id !== null) this.#handleIsolated(id, { kind: 'pause' });
    });
  }

  /** Moves a waiting job before or after all other waiting ones. Returns false if it is not waiting. */
  reorder(jobId: string, to: Turn): boolean {
    const moved = this.#store.reorder(jobId, to);
    if (moved) this.changes.reordered();
    this.#schedule();
    return moved;
  }

  /** Resolves once no effect holds this lock, such as after a job was cancelled. */
  async released(lockKey: string): Promise<void> {
    await this.#effects.released(lockKey);
  }

  async list(
    filter: JobFilter,
    offset: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ jobs: Job[]; total: number }> {
    return await this.#models.list(filter, offset, limit, signal);
  }

  job(jobId: string): Job | null {
    return this.#models.job(jobId);
  }

  attempts(jobId: string, beforeId: number | null, limit: number): readonly Attempt[] {
    return this.#store.attempts(jobId, beforeId, limit);
  }

  /** Returns the jobs with this lock that are neither done nor cancelled. */
  unfinished(lockKey: string): readonly BaseJob[] {
    return this.ofLock(lockKey).filter((job) => !isFinal(job.state));
  }

  ofLock(lockKey: string): readonly BaseJob[] {
    return this.#store.withLock(lockKey).flatMap((row) => this.#reader.parse(row) ?? []);
  }

  /**
   * Removes these jobs if they are final, need attention or stopped because of a bug; null removes all finished jobs. Returns how
   * many were removed.
   */
  async clear(jobIds: readonly string[] | null): Promise<number> {
    let removed = 0;
    const report = (jobId: string, state: BaseJob['state']): void =>
      this.#store.afterCommit(() => {
        this.#stuck.delete(jobId);
        this.changes.removed(jobId, state);
        removed += 1;
      });
    await this.#clearing.clear(
      jobIds ?? this.#clearing.allFinished(report),
      (job) => this.#mayClear(job),
      (steps, work) => this.#inSlices(steps, work),
      (job) => {
        this.#store.remove([job.id]);
        report(job.id, job.state);
      },
    );
    if (removed > 0) this.#deps.onGone?.();
    return removed;
  }

  #mayClear(job: BaseJob): boolean {
    return isFinal(job.state) || job.state === 'needs-attention' || this.#stuck.has(job.id);
  }

  /** Resolves when no effect is running or about to start. For tests and an orderly shutdown. */
  async idle(): Promise<void> {
    await this.#effects.idle();
  }

  /** Returns the unfinished jobs that nothing will ever continue (see `whyUnattended`); for tests. Reads every unfinished job. */
  unattended(): readonly Unattended[] {
    if (!this.#started || this.#stopped) return [];
    return this.#models.unattended(this.#settings.jobsAtOnce, this.#timer.atMs);
  }

  /** Yields each matching id once, even if the job changes meanwhile, and null between steps. */
  *#idsOf(filter: JobFilter): Generator<string | null> {
    const found = new Set<string>();
    for (const state of filter.states ?? jobStates)
      for (let after: number | undefined = 0; after !== undefined;) {
        const page = this.#store.idsInState(state, filter.connectionId, after, idsPage);
        for (const { id } of page) found.add(id);
        after = page.at(-1)?.seq;
        yield null;
      }
    yield* found;
  }

  /** Calls `work` for all items, in slices of one transaction each. Other work can run between slices. */
  async #inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    const slice = (run: () => void): void => {
      if (this.#stopped) throw failure('cancelled', 'Cooper is quitting.');
      this.#store.transaction(run);
      this.#schedule();
    };
    await inSlices(this.#deps.clock, items, slice, work);
  }

  /** Sends an event for which no caller waits. If the disk rejects it, sends it again once the disk accepts writes. */
  #inBackground(tell: () => Promise<unknown>): void {
    tell().catch((thrown: unknown) => {
      if (this.#stopped) return;
      const { code, message } = toAppError(thrown);
      if (code !== 'storage') {
        this.#deps.logger.error('Could not report job changes', { message });
        return;
      }
      this.#refused.keepTelling(tell);
      this.#refused.failed(thrown);
    });
  }

  /** Handles an event from outside the engine. Its effects start after it was stored. */
  #handle(jobId: string, event: AnyEvent): boolean {
    if (this.#clearing.has(jobId)) return false;
    const job = this.#reader.load(jobId);
    if (job === null) return false;
    if (this.#stuck.has(jobId)) this.#store.transaction(() => this.#apply(this.#unstick(job), event));
    else this.#apply(job, event);
    if (event.kind === 'retry-now') this.#store.afterCommit(() => this.#effects.endWait(jobId));
    return true;
  }

  /** Handles an event like `#handle`, but an error of one job's driver does not affect other jobs. */
  #handleIsolated(jobId: string, event: AnyEvent): boolean {
    try {
      return this.#handle(jobId, event);
    } catch (thrown) {
      if (!(thrown instanceof WrongDecision)) throw thrown;
      this.#stick(jobId, thrown);
      return true;
    }
  }

  /** Lets a job that stopped because of a bug continue with the user's next event. Must be called in a transaction. */
  #unstick(job: BaseJob): BaseJob {
    this.#store.afterCommit(() => {
      this.#stuck.delete(job.id);
      this.changes.touch(job.id);
    });
    if (!isInFlight(job)) return job;
    this.#apply(job, { kind: 'restarted' });
    return this.#reader.load(job.id) ?? job;
  }

  /** Retries the writes that the disk rejected, if the user chose “Try again now” or “Resume”. */
  #retryStoreIfAsked({ kind }: AnyEvent): void {
    if (this.#refused.error !== null && (kind === 'retry-now' || kind === 'resume')) this.#retryStore();
  }

  /** Starts the effects again that were running when the program ended. */
  #recover(): void {
    this.#store.transaction(() => {
      for (let page = this.#store.withoutDue(runningStates, 0, 1000); page.length > 0;) {
        for (const row of page) {
          const job = this.#reader.parse(row);
          if (job !== null) this.#apply(job, { kind: 'restarted' });
        }
        page = this.#store.withoutDue(runningStates, page.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER, 1000);
      }
      // No job waits this long, so the clock was set back after these due times were computed.
      for (const id of this.#store.idsDueAfter(this.#deps.clock.nowMs() + longestWaitMs))
        this.#handle(id, { kind: 'retry-now' });
    });
    this.#hasRecovered = true;
  }

  /** Moves rows that contradict their record to `job_broken`. Queries use the row's columns, so such a job might never run. */
  async #setUnfitAside(): Promise<void> {
    const store = this.#store;
    const reader = this.#reader;
    const pages = function* (): Generator<readonly StoredJob[]> {
      for (let page = store.unfit(0, checkedRows); page !== null;) {
        yield page.rows;
        page = store.unfit(page.lastSeq, checkedRows);
      }
    };
    await this.#inSlices(pages(), (rows) => {
      for (const row of rows) reader.setAside(row, 'The row and its record do not agree.');
    });
  }

  /** Stores a decision and then carries it out. `nowMs` is the time that led to the event. */
  #apply(job: BaseJob, event: AnyEvent, write?: () => void, nowMs = this.#deps.clock.nowMs()): void {
    const driver = this.#reader.driverOf(job.kind);
    const moment = { nowMs, fraction: this.#deps.random.fraction() };
    const step = decided(() => driver.transition(job, event, moment));
    const next: BaseJob = step.job;
    if (next === job && write === undefined) return;
    this.#store.transaction(() => {
      if (next !== job) this.#store.update(next);
      driver.persist?.(next, event);
      write?.();
      this.#store.afterCommit(() => this.#act(job, next, step.effects));
    });
  }

  #act(job: BaseJob, next: BaseJob, effects: readonly { readonly kind: string }[]): void {
    this.changes.moved(job.state, next.state);
    this.changes.touch(next.id);
    for (const effect of effects) {
      if (effect.kind === 'stop') this.#effects.stop(next.id);
      else this.#effects.begin(next, effect);
    }
    const run = this.#effects.runOf(next.id);
    if (run !== null && run !== next.run) this.#effects.stop(next.id);
    if (isFinal(next.state) && !isFinal(job.state)) this.#clearing.finished(next.id);
    if (next.state !== job.state && isResting(next.state)) this.#settled(next);
  }

  #settled(job: BaseJob): void {
    try {
      if (isFinal(job.state)) this.#deps.onGone?.();
      const model = this.#models.of(job);
      this.changes.settled(model);
      if (model.reason !== 'by-user' && model.state !== 'cancelled') this.#deps.onSettled?.(model);
    } catch (thrown) {
      // An error in a callback must not undo the end of a job.
      this.#deps.logger.error('Could not report the end of a job', { thrown: String(thrown) });
    }
  }

  /** Handles an effect that ended without an event, because its job would otherwise wait forever. */
  #stopUndecided(jobId: string, run: number): void {
    if (this.#stopped || this.#refused.has(jobId) || this.#stuck.has(jobId)) return;
    const row = this.#store.load(jobId);
    const job = row === null ? null : this.#reader.parse(row);
    if (job === null || job.run !== run || !isInFlight(job)) return;
    this.#stick(
      jobId,
      failure('internal', `An effect ended without an event; the job is still in the state ${job.state}.`),
    );
  }

  /** Handles an event from an effect. If the disk rejects the write, keeps the event, in order, for a retry. */
  #deliver(jobId: string, run: number, event: AnyEvent, write?: () => void): void {
    if (this.#refused.has(jobId)) {
      this.#refused.keep(jobId, { event, run, write });
      return;
    }
    try {
      const job = this.#reader.load(jobId);
      if (job === null || job.run !== run) return;
      this.#apply(job, event, write);
    } catch (thrown) {
      if (this.#isOfOneJob(thrown)) {
        this.#stick(jobId, thrown);
        return;
      }
      this.#refused.keep(jobId, { event, run, write });
      this.#refused.failed(thrown);
      this.changes.touch(jobId);
    }
  }

  /** Returns true for an error that a retry cannot fix and that the disk did not cause. Such an error stops only this job. */
  #isOfOneJob(thrown: unknown): boolean {
    if (thrown instanceof WrongDecision) return true;
    return (
      thrown instanceof AppFailure && (thrown.error.code === 'internal' || thrown.error.reason === 'refused')
    );
  }

  #stick(jobId: string, thrown: unknown): void {
    const error = toAppError(thrown instanceof WrongDecision ? thrown.cause : thrown);
    this.#deps.logger.error('A job cannot continue', { jobId, message: error.message });
    this.#stuck.set(jobId, error);
    this.#refused.forget(jobId);
    this.#effects.stop(jobId);
    this.changes.touch(jobId);
  }

  #retryStore(): void {
    if (this.#stopped || this.#refused.error === null) return;
    const unstored = this.#refused.writeAgain(
      () => {
        if (!this.#hasRecovered) this.#recover();
      },
      (jobId, event) => this.#storeAgain(jobId, event),
      (jobId) => {
        this.changes.touch(jobId);
        const job = this.#reader.load(jobId);
        if (job !== null && !this.#effects.has(jobId)) this.#stopUndecided(jobId, job.run);
      },
    );
    for (const tell of unstored ?? []) this.#inBackground(tell);
    this.#schedule();
  }

  #storeAgain(jobId: string, { event, run, write }: UnstoredEvent): void {
    const job = this.#reader.load(jobId);
    try {
      if (job !== null && job.run === run) this.#apply(job, event, write);
    } catch (thrown) {
      if (!this.#isOfOneJob(thrown)) throw thrown;
      this.#stick(jobId, thrown);
    }
  }

  #log(jobId: string, attempt: NewAttempt): void {
    if (this.#stopped) return;
    try {
      this.#store.transaction(() => this.#store.addAttempt(jobId, this.#deps.clock.nowMs(), attempt));
    } catch (thrown) {
      // An error while logging must not stop the job.
      this.#deps.logger.warn('Could not log an attempt', { message: toAppError(thrown).message });
    }
  }

  /**
   * Starts the jobs that may start, and sets the timer for the next due job. Uses one clock reading, so that no due time is
   * missed.
   */
  #schedule(): void {
    if (!this.#started || this.#stopped || this.#refused.error !== null) return;
    try {
      this.#wakeAfterClockChange();
      const nowMs = this.#deps.clock.nowMs();
      this.#fillSlots(nowMs);
      // Jobs that are already due need no timer. They wait for a slot or a lock, and this function runs again when one is free.
      this.#timer.set(this.#store.nextDueMs(nowMs), nowMs);
    } catch (thrown) {
      this.#refused.failed(thrown);
    }
  }

  /** Wakes jobs if the clock was set back, because that would delay their retries. */
  #wakeAfterClockChange(): void {
    const now = { wallMs: this.#deps.clock.nowMs(), steadyMs: this.#deps.clock.monotonicMs() };
    const last = this.#lastReading;
    this.#lastReading = now;
    if (last === null) return;
    const setBackMs = now.steadyMs - last.steadyMs - (now.wallMs - last.wallMs);
    if (setBackMs > toleratedSetBackMs) this.wake();
  }

  #fillSlots(nowMs: number): void {
    while (this.#effects.count < this.#settings.jobsAtOnce) {
      const next = this.#store.startable(nowMs, {
        lockKeys: this.#effects.lockKeys,
        ids: [...this.#refused.jobIds, ...this.#stuck.keys()],
      });
      if (next === null) return;
      const job = this.#reader.load(next);
      if (job === null) continue;
      try {
        this.#apply(job, { kind: 'started' }, undefined, nowMs);
      } catch (thrown) {
        if (!this.#isOfOneJob(thrown)) throw thrown;
        this.#stick(next, thrown);
        continue;
      }
      // The job's effect did not start and no timer is set for it. Selecting it again would loop forever.
      const after = this.#reader.load(next);
      const isDue =
        after?.state === 'waiting' || (after !== null && after.dueMs !== null && after.dueMs <= nowMs);
      if (isDue && !this.#effects.has(next))
        this.#stick(next, failure('internal', `The job does not start from the state ${job.state}.`));
    }
  }
}

/** The longest possible wait of a job, since Retry-After is limited to one hour. */
const longestWaitMs = 61 * 60_000;
/** A clock that was set back by less is ignored. It hardly delays a retry, and regular corrections are smaller. */
const toleratedSetBackMs = 60_000;
const idsPage = 1000;
/**
 * The number of rows to check in a slice. Reading and comparing one takes up to 0.2 ms on a slow disk, and a slice must be
 * shorter than a frame.
 */
const checkedRows = 50;

/** A driver's transition threw, which is a bug. */
class WrongDecision extends Error {}

function decided<T>(decide: () => T): T {
  try {
    return decide();
  } catch (cause) {
    throw new WrongDecision('The transition of a job threw an error.', { cause });
  }
}
