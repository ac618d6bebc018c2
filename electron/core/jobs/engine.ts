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
import { JobModels } from './job-models.ts';
import { JobReader, type AnyDriver, type AnyEvent } from './job-reader.ts';
import { RefusedWrites, type UnstoredEvent } from './refused-writes.ts';
import { inSlices } from '../flow/slices.ts';
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
import type { Unattended } from './unattended.ts';

export interface EngineDeps {
  readonly store: JobStore;
  readonly drivers: readonly AnyDriver[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Called once when a job comes to rest. */
  readonly onSettled?: (job: Job) => void;
  /** Called after jobs were done, cancelled or cleared, so that data kept only for them can be removed. */
  readonly onGone?: () => void;
}

/** A new job and the other writes of its transaction. */
export interface Submission {
  readonly job: BaseJob;
  readonly write?: () => void;
}

/** Runs jobs: takes the next one, performs its driver's decisions, and stores each decision before acting on it. */
export class JobEngine {
  readonly #deps: EngineDeps;
  readonly #store: JobStore;
  readonly #reader: JobReader;
  readonly #effects: Effects;
  readonly #refused: RefusedWrites;
  readonly #clearing: Clearing;
  readonly #models: JobModels;
  /** Jobs stopped by a fault of the program, with that fault. Other jobs are not affected. */
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
      ended: (jobId, run) => this.#mindUndecided(jobId, run),
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

  /** Resumes the jobs of an earlier run. Only the records of jobs that were running are read, and all are checked. */
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

  /** Ends all effects without changing any job; the next start resumes from the stored records. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer.clear();
    this.#refused.close();
    this.changes.close();
    await this.#effects.close();
  }

  /** Stores a new job; `write` joins its transaction. */
  submit(job: BaseJob, write?: () => void): void {
    this.#store.transaction(() => this.#insert({ job, ...(write === undefined ? {} : { write }) }));
    this.#store.afterCommit(() => this.#schedule());
  }

  /**
   * Creates many jobs, with one transaction per slice of the input. `make` returns the job or throws. If it throws, or the disk
   * refuses the slice, `refuse` is called instead of `made`.
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
          // A refused write may be half of a change, so the whole slice fails.
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

  /** Retries scheduled jobs at once, after sleep or when the network is back. */
  wake(): void {
    this.#effects.endWaits();
    const filter: JobFilter = { states: ['retry-scheduled', 'verifying-outcome'], connectionId: null };
    this.#inBackground(() => this.sendMany(null, filter, { kind: 'retry-now' }));
  }

  /** Resumes jobs that waited for new credentials or settings of a connection. */
  connectionChanged(connectionId: string): void {
    const filter: JobFilter = { states: ['paused', 'needs-attention'], connectionId };
    this.#inBackground(() => this.sendMany(null, filter, { kind: 'keys-changed' }));
  }

  /**
   * Sends an event from the user or another part of the program. Returns false if the job does not exist. Throws WrongDecision
   * if the transition of a job throws.
   */
  send(jobId: string, event: AnyEvent): boolean {
    this.#mindStore(event);
    const isThere = this.#tell(jobId, event);
    this.#store.afterCommit(() => this.#schedule());
    return isThere;
  }

  /** Sends an event to the given jobs, or to all that match the filter. Returns their number. */
  async sendMany(jobIds: readonly string[] | null, filter: JobFilter, event: EngineEvent): Promise<number> {
    this.#mindStore(event);
    let count = 0;
    await this.#inSlices<string | null>(jobIds ?? this.#idsOf(filter), (id) => {
      if (id !== null && this.#tellOneOfMany(id, event)) count += 1;
    });
    return count;
  }

  /** Pauses every job that is not at rest. Called before the queue starts, when the stored records may be outdated. */
  pauseAll(): void {
    const states = jobStates.filter((state) => !isResting(state));
    this.#store.transaction(() => {
      for (const id of this.#idsOf({ states, connectionId: null }))
        if (id !== null) this.#tellOneOfMany(id, { kind: 'pause' });
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

  list(filter: JobFilter, offset: number, limit: number): { jobs: Job[]; total: number } {
    return this.#models.list(filter, offset, limit);
  }

  job(jobId: string): Job | null {
    return this.#models.job(jobId);
  }

  attempts(jobId: string, beforeId: number | null, limit: number): readonly Attempt[] {
    return this.#store.attempts(jobId, beforeId, limit);
  }

  /** Returns the jobs of one lock that are not final. */
  unfinished(lockKey: string): readonly BaseJob[] {
    return this.ofLock(lockKey).filter((job) => !isFinal(job.state));
  }

  ofLock(lockKey: string): readonly BaseJob[] {
    return this.#store.withLock(lockKey).flatMap((row) => this.#reader.parse(row) ?? []);
  }

  /** Removes resting jobs with everything that belongs to them; returns their number. "All" does not include paused jobs. */
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

  /** Resolves when no effect is running or about to start; for tests and an orderly shutdown. */
  async idle(): Promise<void> {
    await this.#effects.idle();
  }

  /** Returns the jobs that violate the queue's rule (see `whyUnattended`); for tests. Reads every unfinished job. */
  unattended(): readonly Unattended[] {
    if (!this.#started || this.#stopped) return [];
    return this.#models.unattended(this.#settings.jobsAtOnce, this.#timer.atMs);
  }

  /** Yields each matching id once, even if the job changes meanwhile; yields null for a step in between. */
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

  /** Runs each slice in a transaction; other work can run in between. */
  async #inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    const slice = (run: () => void): void => {
      if (this.#stopped) throw failure('cancelled', 'The program ends.');
      this.#store.transaction(run);
      this.#schedule();
    };
    await inSlices(this.#deps.clock, items, slice, work);
  }

  /** Sends an event that no caller awaits. If the disk refuses it, it is repeated once the disk accepts writes. */
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

  /** Handles one event from outside. Its consequences start once it is stored. */
  #tell(jobId: string, event: AnyEvent): boolean {
    if (this.#clearing.has(jobId)) return false;
    const job = this.#reader.load(jobId);
    if (job === null) return false;
    if (this.#stuck.has(jobId)) this.#store.transaction(() => this.#apply(this.#freed(job), event));
    else this.#apply(job, event);
    if (event.kind === 'retry-now') this.#store.afterCommit(() => this.#effects.endWait(jobId));
    return true;
  }

  /** Like `#tell`, but a driver's fault on one job does not affect the others. */
  #tellOneOfMany(jobId: string, event: AnyEvent): boolean {
    try {
      return this.#tell(jobId, event);
    } catch (thrown) {
      if (!(thrown instanceof WrongDecision)) throw thrown;
      this.#stick(jobId, thrown);
      return true;
    }
  }

  /** Gives a stuck job another chance at the user's next event; call it within a transaction. */
  #freed(job: BaseJob): BaseJob {
    this.#store.afterCommit(() => {
      this.#stuck.delete(job.id);
      this.changes.touch(job.id);
    });
    if (!isInFlight(job)) return job;
    this.#apply(job, { kind: 'restarted' });
    return this.#reader.load(job.id) ?? job;
  }

  /** Retries refused writes to the disk at "Try now" or "Resume". */
  #mindStore({ kind }: AnyEvent): void {
    if (this.#refused.error !== null && (kind === 'retry-now' || kind === 'resume')) this.#retryStore();
  }

  /** Restarts effects that were running when the program ended. */
  #recover(): void {
    this.#store.transaction(() => {
      for (let page = this.#store.withoutDue(runningStates, 0, 1000); page.length > 0;) {
        for (const row of page) {
          const job = this.#reader.parse(row);
          if (job !== null) this.#apply(job, { kind: 'restarted' });
        }
        page = this.#store.withoutDue(runningStates, page.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER, 1000);
      }
      // No delay is that long, so the clock was set back meanwhile.
      for (const id of this.#store.idsDueAfter(this.#deps.clock.nowMs() + longestWaitMs))
        this.#tell(id, { kind: 'retry-now' });
    });
    this.#hasRecovered = true;
  }

  /** Sets aside each row that contradicts its record. Queries use the row, so its job would never run. */
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

  /** Stores the decision, then acts on it. `nowMs`: the clock reading that led to the event. */
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
      if (model.reason !== 'by-user' && model.state !== 'cancelled') {
        this.changes.settled(job.id);
        this.#deps.onSettled?.(model);
      }
    } catch (thrown) {
      // A failing callback must not undo the end of a job.
      this.#deps.logger.error('Could not report the end of a job', { thrown: String(thrown) });
    }
  }

  /** Handles an effect that ended without a decision: otherwise nothing would wake its job. */
  #mindUndecided(jobId: string, run: number): void {
    if (this.#stopped || this.#refused.has(jobId) || this.#stuck.has(jobId)) return;
    const row = this.#store.load(jobId);
    const job = row === null ? null : this.#reader.parse(row);
    if (job === null || job.run !== run || !isInFlight(job)) return;
    this.#stick(jobId, failure('internal', `The work ended in the state ${job.state}, and led nowhere.`));
  }

  /** Handles an event of an effect. If the disk refuses it, keeps it in order for later. */
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

  /** Returns true for a fault that no retry fixes and that is not about the disk. Only this job stops. */
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
        if (job !== null && !this.#effects.has(jobId)) this.#mindUndecided(jobId, job.run);
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
      // A failing log entry must not stop the job.
      this.#deps.logger.warn('Could not log an attempt', { message: toAppError(thrown).message });
    }
  }

  /**
   * Starts jobs that may start and sets the timer for the others. Uses one clock reading, so that no due time falls in between.
   */
  #schedule(): void {
    if (!this.#started || this.#stopped || this.#refused.error !== null) return;
    try {
      this.#mindClock();
      const nowMs = this.#deps.clock.nowMs();
      this.#fillSlots(nowMs);
      // Jobs that are already due wait for a slot or a lock; its release calls this again.
      this.#timer.set(this.#store.nextDueMs(nowMs), nowMs);
    } catch (thrown) {
      this.#refused.failed(thrown);
    }
  }

  /** Detects a clock that was set back, which would delay scheduled jobs by as much. */
  #mindClock(): void {
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
      // Otherwise the loop would spin: no effect was started and no timer set.
      const after = this.#reader.load(next);
      const isDue =
        after?.state === 'waiting' || (after !== null && after.dueMs !== null && after.dueMs <= nowMs);
      if (isDue && !this.#effects.has(next))
        this.#stick(next, failure('internal', `The job does not start from the state ${job.state}.`));
    }
  }
}

/** Upper bound of all waits of a job: Retry-After is capped at one hour. */
const longestWaitMs = 61 * 60_000;
/** Smaller steps back are ignored: a backoff is hardly longer, and regular clock corrections are smaller. */
const toleratedSetBackMs = 60_000;
const idsPage = 1000;
/** Rows per slice: reading and comparing one takes up to 0.2 ms where the disk is slow, and a slice must stay below a frame. */
const checkedRows = 50;

/** An exception thrown by a driver's decision: a bug. */
class WrongDecision extends Error {}

function decided<T>(decide: () => T): T {
  try {
    return decide();
  } catch (cause) {
    throw new WrongDecision('A job could not be decided on.', { cause });
  }
}
