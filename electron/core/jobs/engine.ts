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
import { JobWaits } from './job-waits.ts';
import { inSlices } from '../flow/slices.ts';
import { SpeedMeter } from './speed.ts';
import type { JobStore, StoredJob } from './store.ts';
import {
  isFinal,
  isResting,
  isUnderWay,
  runningStates,
  type BaseJob,
  type Driver,
  type EngineEvent,
  type Live,
  type NewAttempt,
} from './types.ts';
import { whyUnattended, type Unattended } from './unattended.ts';

/** A driver whose types only it knows; the engine hands its own jobs and events back to it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds drivers of different job types
type AnyDriver = Driver<any, any, any>;
interface AnyEvent {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface EngineDeps {
  readonly store: JobStore;
  readonly drivers: readonly AnyDriver[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** A job came to rest: told once. */
  readonly onSettled?: (job: Job) => void;
  /** Jobs were done, cancelled or cleared: what was kept for them alone is not needed any more. */
  readonly onGone?: () => void;
}

interface Running {
  readonly lockKey: string;
  readonly meter: SpeedMeter;
  readonly waits: JobWaits;
  controller: AbortController;
  run: number;
  live: { bytesDone: number; partsDone: number } | null;
}

/** A job that is made, and what else its transaction writes. */
export interface Submission {
  readonly job: BaseJob;
  readonly write?: () => void;
}

/** Runs jobs: takes the next, performs what its driver decides, and stores each decision before it acts on it. */
export class JobEngine {
  readonly #deps: EngineDeps;
  readonly #store: JobStore;
  readonly #drivers = new Map<string, AnyDriver>();
  readonly #running = new Map<string, Running>();
  /** Effects that were stopped and have not ended yet: their locks are still held. */
  readonly #ending = new Set<{ readonly lockKey: string; readonly ended: Promise<void> }>();
  /** Events that could not be stored (a full disk); they are tried again in their order. */
  readonly #unstored = new Map<string, { event: AnyEvent; run: number; write: (() => void) | undefined }[]>();
  /** What many jobs were to be told, and the disk refused. */
  readonly #untold: (() => Promise<unknown>)[] = [];
  /** Jobs that a fault of the program keeps from going on, and which fault; the others go on. */
  readonly #stuck = new Map<string, AppError>();
  /** Jobs whose items are being removed before they are: nothing of them may begin again. */
  readonly #clearing = new Set<string>();
  #storeError: AppError | null = null;
  #storeTimerIsSet = false;
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
    for (const driver of deps.drivers) for (const kind of driver.kinds) this.#drivers.set(kind, driver);
    this.#settings = this.#store.readSettings();
    this.changes = new JobChanges(deps.clock, this.#store, (id) => this.#modelById(id));
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

  /** Goes on with what an earlier run left behind. Only the jobs that were under way are read. */
  start(): void {
    this.#started = true;
    try {
      this.#recover();
    } catch (thrown) {
      this.#storeFailed(thrown);
    }
    this.#schedule();
  }

  /** Ends all effects without changing any job: the next start goes on from what is stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer.clear();
    this.changes.close();
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const entry of running) entry.controller.abort(failure('cancelled', 'The program ends.'));
    await Promise.all([...this.#ending].map((entry) => entry.ended));
  }

  /** Stores a new job; `write` joins its transaction. */
  submit(job: BaseJob, write?: () => void): void {
    this.#store.transaction(() => this.#insert({ job, ...(write === undefined ? {} : { write }) }));
    this.#store.afterCommit(() => this.#schedule());
  }

  /**
   * Makes jobs out of many wishes, a transaction for each slice of them. `make` gives the job of one wish, or throws why there
   * is none; then, or where the disk fails its slice, `refuse` is told instead of `made`.
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
          // What the disk refused may be half of something: the slice fails as a whole.
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

  /** After sleep, or when the network came back: what waits for its time is tried now. */
  wake(): void {
    for (const { waits } of this.#running.values()) waits.end();
    const filter: JobFilter = { states: ['retry-scheduled', 'verifying-outcome'], connectionId: null };
    this.#inBackground(() => this.sendMany(null, filter, { kind: 'retry-now' }));
  }

  /** The keys or settings of a connection changed: jobs that waited for that go on. */
  connectionChanged(connectionId: string): void {
    const filter: JobFilter = { states: ['paused', 'needs-attention'], connectionId };
    this.#inBackground(() => this.sendMany(null, filter, { kind: 'keys-changed' }));
  }

  /** Sends an event from outside. False: there is no such job. */
  send(jobId: string, event: AnyEvent): boolean {
    this.#mindStore(event);
    const isThere = this.#tell(jobId, event);
    this.#store.afterCommit(() => this.#schedule());
    return isThere;
  }

  /** The same event for many: the given ones, or all that pass the filter. Answers how many there were. */
  async sendMany(jobIds: readonly string[] | null, filter: JobFilter, event: EngineEvent): Promise<number> {
    this.#mindStore(event);
    let count = 0;
    await this.#inSlices<string | null>(jobIds ?? this.#idsOf(filter), (id) => {
      if (id !== null && this.#tellOneOfMany(id, event)) count += 1;
    });
    return count;
  }

  /** Puts a job that waits before or after all others that wait. False: it does not wait. */
  reorder(jobId: string, to: Turn): boolean {
    const moved = this.#store.reorder(jobId, to);
    if (moved) this.changes.reordered();
    this.#schedule();
    return moved;
  }

  /** Resolves when no effect holds this lock any more, such as after a job was cancelled. */
  async released(lockKey: string): Promise<void> {
    await Promise.all([...this.#ending].flatMap((entry) => (entry.lockKey === lockKey ? [entry.ended] : [])));
  }

  list(filter: JobFilter, offset: number, limit: number): { jobs: Job[]; total: number } {
    const { rows, total } = this.#store.list(filter, offset, limit);
    return { jobs: rows.flatMap((row) => this.#modelOf(row) ?? []), total };
  }

  job(jobId: string): Job | null {
    return this.#modelById(jobId);
  }

  attempts(jobId: string, beforeId: number | null, limit: number): readonly Attempt[] {
    return this.#store.attempts(jobId, beforeId, limit);
  }

  /** The jobs of one lock that are not final, as their driver knows them. */
  unfinished(lockKey: string): readonly BaseJob[] {
    return this.ofLock(lockKey).filter((job) => !isFinal(job.state));
  }

  ofLock(lockKey: string): readonly BaseJob[] {
    return this.#store.withLock(lockKey).flatMap((row) => this.#parse(row) ?? []);
  }

  /** Removes jobs at rest with all that belongs to them. A paused one is not cleared by "all". */
  async clear(jobIds: readonly string[] | null): Promise<number> {
    const filter: JobFilter = { states: ['done', 'cancelled'], connectionId: null };
    const begun = new Set<string>();
    const leftovers: Promise<void>[] = [];
    let removed = 0;
    try {
      await this.#inSlices(this.#emptied(jobIds ?? this.#idsOf(filter), begun, leftovers), (id) => {
        const job = id === null ? null : this.#load(id);
        if (job === null) return;
        this.#store.remove(job.id);
        this.#store.afterCommit(() => {
          this.#stuck.delete(job.id);
          this.changes.removed(job.id, job.state);
          removed += 1;
        });
      });
    } finally {
      await Promise.all(leftovers);
      for (const id of begun) this.#clearing.delete(id);
    }
    if (removed > 0) this.#deps.onGone?.();
    return removed;
  }

  /** Those that may be cleared, each once nothing belongs to it any more; null for a step on the way there. */
  *#emptied(
    jobIds: Iterable<string | null>,
    begun: Set<string>,
    leftovers: Promise<void>[],
  ): Generator<string | null> {
    for (const id of jobIds) {
      const job = id === null ? null : this.#load(id);
      if (job === null || !this.#mayClear(job)) {
        yield null;
        continue;
      }
      begun.add(job.id);
      this.#clearing.add(job.id);
      const driver = this.#driverOf(job.kind);
      // While it is still known where they lie.
      const leftover = driver.removeLeftovers?.(job, ({ error }) =>
        this.#deps.logger.warn('What a job has left could not be removed.', { jobId: job.id, error }),
      );
      if (leftover !== undefined) leftovers.push(leftover);
      while (driver.removeSome?.(job.id) === true) yield null;
      yield job.id;
    }
  }

  #mayClear(job: BaseJob): boolean {
    return isFinal(job.state) || job.state === 'needs-attention' || this.#stuck.has(job.id);
  }

  /** Resolves when no effect is under way and none is about to begin; for tests and a clean end. */
  async idle(): Promise<void> {
    while (this.#running.size > 0 || this.#ending.size > 0)
      await Promise.race([...this.#ending].map((entry) => entry.ended));
  }

  /** The jobs that break the law of the queue at this moment; for tests. Reads every job that is not at its end. */
  unattended(): readonly Unattended[] {
    if (!this.#started || this.#stopped) return [];
    const held = new Set([...this.#ending].map((entry) => entry.lockKey));
    const slotIsFree = this.#running.size < this.#settings.jobsAtOnce;
    const found: Unattended[] = [];
    for (let page = this.#store.unfinished(0, 1000); page.length > 0;) {
      for (const row of page) {
        const job = this.#modelOf(row);
        if (job === null) continue;
        const why = whyUnattended({
          job,
          storedState: row.state,
          dueMs: row.dueMs,
          hasEffect: this.#running.has(row.id),
          waitsForDisk: this.#storeError !== null || this.#unstored.has(row.id),
          mayStart: slotIsFree && !held.has(row.lockKey),
          timerAtMs: this.#timer.atMs,
          diskTimerIsSet: this.#storeTimerIsSet,
        });
        if (why !== null) found.push({ jobId: row.id, state: row.state, why });
      }
      page = this.#store.unfinished(page.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER, 1000);
    }
    return found;
  }

  /** Their ids, each once, whatever becomes of it meanwhile; null for a step on the way there. */
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

  /** A transaction for each slice; others have their turn in between. */
  async #inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    const slice = (run: () => void): void => {
      if (this.#stopped) throw failure('cancelled', 'The program ends.');
      this.#store.transaction(run);
      this.#schedule();
    };
    await inSlices(this.#deps.clock, items, slice, work);
  }

  /** What nobody waits for. Where the disk refuses it, it is told again when the disk takes it. */
  #inBackground(tell: () => Promise<unknown>): void {
    tell().catch((thrown: unknown) => {
      if (this.#stopped) return;
      const { code, message } = toAppError(thrown);
      if (code !== 'storage') {
        this.#deps.logger.error('Jobs could not be told', { message });
        return;
      }
      this.#untold.push(tell);
      this.#storeFailed(thrown);
    });
  }

  /** One event from outside; what it leads to is acted on once it is stored. */
  #tell(jobId: string, event: AnyEvent): boolean {
    if (this.#clearing.has(jobId)) return false;
    const job = this.#load(jobId);
    if (job === null) return false;
    if (this.#stuck.has(jobId)) this.#store.transaction(() => this.#apply(this.#freed(job), event));
    else this.#apply(job, event);
    if (event.kind === 'retry-now') this.#store.afterCommit(() => this.#running.get(jobId)?.waits.end());
    return true;
  }

  /** A driver that cannot decide on one job keeps nothing from the others. */
  #tellOneOfMany(jobId: string, event: AnyEvent): boolean {
    try {
      return this.#tell(jobId, event);
    } catch (thrown) {
      if (!(thrown instanceof WrongDecision)) throw thrown;
      this.#stick(jobId, thrown);
      return true;
    }
  }

  /** A job that was stuck is given another chance with whatever the user says to it; in a transaction. */
  #freed(job: BaseJob): BaseJob {
    this.#store.afterCommit(() => {
      this.#stuck.delete(job.id);
      this.changes.touch(job.id);
    });
    if (!isUnderWay(job)) return job;
    this.#apply(job, { kind: 'restarted' });
    return this.#load(job.id) ?? job;
  }

  /** Who says "Try now" while the disk takes nothing means the disk. */
  #mindStore({ kind }: AnyEvent): void {
    if (this.#storeError !== null && (kind === 'retry-now' || kind === 'resume')) this.#retryStore();
  }

  /** What was under way when the program ended is to do again. */
  #recover(): void {
    this.#store.transaction(() => {
      for (let page = this.#store.withoutDue(runningStates, 0, 1000); page.length > 0;) {
        for (const row of page) {
          const job = this.#parse(row);
          if (job !== null) this.#apply(job, { kind: 'restarted' });
        }
        page = this.#store.withoutDue(runningStates, page.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER, 1000);
      }
      // No wait is that long: the clock was set back since.
      for (const id of this.#store.idsDueAfter(this.#deps.clock.nowMs() + longestWaitMs))
        this.#tell(id, { kind: 'retry-now' });
    });
    this.#hasRecovered = true;
  }

  /** The decision is stored first, then acted on. `nowMs`: the reading of the clock that led to the event. */
  #apply(job: BaseJob, event: AnyEvent, write?: () => void, nowMs = this.#deps.clock.nowMs()): void {
    const driver = this.#driverOf(job.kind);
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
      if (effect.kind === 'stop') this.#stopEffect(next.id);
      else this.#begin(next, effect);
    }
    const entry = this.#running.get(next.id);
    if (entry !== undefined && entry.run !== next.run) this.#stopEffect(next.id);
    if (next.state !== job.state && isResting(next.state)) this.#settled(next);
  }

  #settled(job: BaseJob): void {
    try {
      if (isFinal(job.state)) this.#deps.onGone?.();
      const model = this.#toModel(job);
      if (model.reason !== 'by-user' && model.state !== 'cancelled') {
        this.changes.settled(job.id);
        this.#deps.onSettled?.(model);
      }
    } catch (thrown) {
      // Whoever is told of an end must not undo it.
      this.#deps.logger.error('The end of a job could not be told', { thrown: String(thrown) });
    }
  }

  #stopEffect(jobId: string): void {
    const entry = this.#running.get(jobId);
    if (entry === undefined) return;
    this.#running.delete(jobId);
    entry.waits.end();
    entry.controller.abort(failure('cancelled', 'The job was stopped.'));
  }

  #begin(job: BaseJob, effect: { readonly kind: string }): void {
    // Nothing goes on below a program that ends: the next start begins it.
    if (this.#stopped) return;
    const before = this.#running.get(job.id);
    const controller = new AbortController();
    const entry: Running = before ?? {
      lockKey: job.lockKey,
      meter: new SpeedMeter(this.#deps.clock),
      waits: new JobWaits(this.#deps.clock, () => this.changes.touch(job.id)),
      controller,
      run: job.run,
      live: null,
    };
    entry.controller = controller;
    entry.run = job.run;
    entry.live = null;
    this.#running.set(job.id, entry);
    const ending = {
      lockKey: job.lockKey,
      ended: this.#perform(job, effect, entry, controller).finally(() => {
        this.#ending.delete(ending);
        const isLast = this.#running.get(job.id)?.controller === controller;
        if (isLast) this.#running.delete(job.id);
        if (isLast || this.#running.get(job.id) !== entry) entry.waits.end();
        // Whatever the effect has left under way ends with it.
        controller.abort(failure('cancelled', 'The work is over.'));
        if (isLast) this.#mindUndecided(job.id, job.run);
        this.#schedule();
      }),
    };
    this.#ending.add(ending);
  }

  /** An effect that ended without leading anywhere: nothing else would ever wake its job. */
  #mindUndecided(jobId: string, run: number): void {
    if (this.#stopped || this.#unstored.has(jobId) || this.#stuck.has(jobId)) return;
    const row = this.#store.load(jobId);
    const job = row === null ? null : this.#parse(row);
    if (job === null || job.run !== run || !isUnderWay(job)) return;
    this.#stick(jobId, failure('internal', `The work ended in the state ${job.state}, and led nowhere.`));
  }

  async #perform(
    job: BaseJob,
    effect: { readonly kind: string },
    entry: Running,
    controller: AbortController,
  ): Promise<void> {
    const { run } = job;
    const isCurrent = (): boolean => !this.#stopped && entry.run === run && !controller.signal.aborted;
    let event: AnyEvent;
    try {
      event = await this.#driverOf(job.kind).perform(effect, job, {
        signal: controller.signal,
        emit: (inner: AnyEvent, write?: () => void) => {
          if (isCurrent()) this.#deliver(job.id, run, inner, write);
        },
        progress: (bytesDone, partsDone) => {
          if (!isCurrent()) return;
          entry.live = { bytesDone, partsDone };
          entry.meter.sample(bytesDone);
          this.changes.touch(job.id);
        },
        waits: entry.waits,
        log: (attempt) => this.#log(job.id, attempt),
      });
    } catch (thrown) {
      event = { kind: 'failed', error: toAppError(thrown) };
      if (!(thrown instanceof AppFailure))
        this.#deps.logger.error('A job failed unexpectedly', { thrown: String(thrown) });
    }
    if (isCurrent()) this.#deliver(job.id, run, event);
  }

  /** An event of an effect. What cannot be stored now is kept, in its order, until it can. */
  #deliver(jobId: string, run: number, event: AnyEvent, write?: () => void): void {
    const waiting = this.#unstored.get(jobId);
    if (waiting !== undefined) {
      waiting.push({ event, run, write });
      return;
    }
    try {
      const job = this.#load(jobId);
      if (job === null || job.run !== run) return;
      this.#apply(job, event, write);
    } catch (thrown) {
      if (this.#isOfOneJob(thrown)) {
        this.#stick(jobId, thrown);
        return;
      }
      this.#unstored.set(jobId, [{ event, run, write }]);
      this.#storeFailed(thrown);
      this.changes.touch(jobId);
    }
  }

  /** A fault that no wait mends and that says nothing of the disk: the other jobs go on. */
  #isOfOneJob(thrown: unknown): boolean {
    if (thrown instanceof WrongDecision) return true;
    return (
      thrown instanceof AppFailure && (thrown.error.code === 'internal' || thrown.error.reason === 'refused')
    );
  }

  #stick(jobId: string, thrown: unknown): void {
    const error = toAppError(thrown instanceof WrongDecision ? thrown.cause : thrown);
    this.#deps.logger.error('A job cannot go on', { jobId, message: error.message });
    this.#stuck.set(jobId, error);
    this.#unstored.delete(jobId);
    this.#stopEffect(jobId);
    this.changes.touch(jobId);
  }

  #storeFailed(thrown: unknown): void {
    this.#storeError = toAppError(thrown);
    this.#deps.logger.error('The queue could not be written', { message: this.#storeError.message });
    this.#retryStoreLater();
  }

  #retryStoreLater(): void {
    if (this.#stopped || this.#storeTimerIsSet) return;
    this.#storeTimerIsSet = true;
    const over = (): void => {
      this.#storeTimerIsSet = false;
      this.#retryStore();
    };
    void this.#deps.clock.sleep(storeRetryMs).then(over, over);
  }

  #retryStore(): void {
    if (this.#stopped || this.#storeError === null) return;
    try {
      if (!this.#hasRecovered) this.#recover();
      for (const [jobId, events] of this.#unstored) {
        this.#retryEvents(jobId, events);
        this.#unstored.delete(jobId);
        this.changes.touch(jobId);
        const job = this.#load(jobId);
        if (job !== null && !this.#running.has(jobId)) this.#mindUndecided(jobId, job.run);
      }
      this.#storeError = null;
      for (const tell of this.#untold.splice(0)) this.#inBackground(tell);
    } catch (thrown) {
      this.#storeError = toAppError(thrown);
      this.#retryStoreLater();
    }
    this.#schedule();
  }

  #retryEvents(
    jobId: string,
    events: { event: AnyEvent; run: number; write: (() => void) | undefined }[],
  ): void {
    for (let [first] = events; first !== undefined; [first] = events) {
      const job = this.#load(jobId);
      try {
        if (job !== null && job.run === first.run) this.#apply(job, first.event, first.write);
      } catch (thrown) {
        if (!this.#isOfOneJob(thrown)) throw thrown;
        this.#stick(jobId, thrown);
        return;
      }
      events.shift();
    }
  }

  #log(jobId: string, attempt: NewAttempt): void {
    if (this.#stopped) return;
    try {
      this.#store.transaction(() => this.#store.addAttempt(jobId, this.#deps.clock.nowMs(), attempt));
    } catch (thrown) {
      // A line of the log is worth less than the work it speaks of.
      this.#deps.logger.warn('An attempt could not be logged', { message: toAppError(thrown).message });
    }
  }

  /** Starts what may start, and sets the timer for the rest: by one reading of the clock, so that no moment lies between. */
  #schedule(): void {
    if (!this.#started || this.#stopped || this.#storeError !== null) return;
    try {
      this.#mindClock();
      const nowMs = this.#deps.clock.nowMs();
      this.#fillSlots(nowMs);
      // What is due by now waits for a slot or a lock, whose end calls again.
      this.#timer.set(this.#store.nextDueMs(nowMs), nowMs);
    } catch (thrown) {
      this.#storeFailed(thrown);
    }
  }

  /** A clock that was set back would put off by as much whatever waits for its time. */
  #mindClock(): void {
    const now = { wallMs: this.#deps.clock.nowMs(), steadyMs: this.#deps.clock.monotonicMs() };
    const last = this.#lastReading;
    this.#lastReading = now;
    if (last === null) return;
    const setBackMs = now.steadyMs - last.steadyMs - (now.wallMs - last.wallMs);
    if (setBackMs > toleratedSetBackMs) this.wake();
  }

  #fillSlots(nowMs: number): void {
    while (this.#running.size < this.#settings.jobsAtOnce) {
      const next = this.#store.startable(nowMs, {
        lockKeys: [...this.#ending].map((entry) => entry.lockKey),
        ids: [...this.#unstored.keys(), ...this.#stuck.keys()],
      });
      if (next === null) return;
      const job = this.#load(next);
      if (job === null) continue;
      try {
        this.#apply(job, { kind: 'started' }, undefined, nowMs);
      } catch (thrown) {
        if (!this.#isOfOneJob(thrown)) throw thrown;
        this.#stick(next, thrown);
        continue;
      }
      // A driver that starts nothing and puts nothing off would be asked for ever.
      const after = this.#load(next);
      const isDue =
        after?.state === 'waiting' || (after !== null && after.dueMs !== null && after.dueMs <= nowMs);
      if (isDue && !this.#running.has(next))
        this.#stick(next, failure('internal', `The job does not start from the state ${job.state}.`));
    }
  }

  #load(jobId: string): BaseJob | null {
    const row = this.#store.load(jobId);
    return row === null ? null : this.#parse(row);
  }

  #parse(row: StoredJob): BaseJob | null {
    try {
      return this.#driverOf(row.kind).parse(JSON.parse(row.data));
    } catch (thrown) {
      this.#deps.logger.error('A job could not be read and was set aside', {
        jobId: row.id,
        thrown: String(thrown),
      });
      this.#store.setAside(row, String(thrown), this.#deps.clock.nowMs());
      this.changes.broke(row.state);
      return null;
    }
  }

  #driverOf(kind: string): AnyDriver {
    const driver = this.#drivers.get(kind);
    if (driver === undefined) throw failure('internal', `No driver for jobs of kind ${kind}.`);
    return driver;
  }

  #modelById(jobId: string): Job | null {
    const row = this.#store.load(jobId);
    return row === null ? null : this.#modelOf(row);
  }

  #modelOf(row: StoredJob): Job | null {
    const job = this.#parse(row);
    return job === null ? null : this.#toModel(job);
  }

  #toModel(job: BaseJob): Job {
    const entry = this.#running.get(job.id);
    const live: Live | null =
      entry === undefined || entry.live === null
        ? null
        : { ...entry.live, bytesPerSecond: entry.meter.bytesPerSecond() };
    const model = this.#driverOf(job.kind).toModel(job, live);
    const stuck = this.#stuck.get(job.id);
    if (stuck !== undefined && !isFinal(job.state))
      return { ...model, state: 'needs-attention', reason: 'program-fault', error: stuck };
    if (this.#storeError !== null && this.#unstored.has(job.id))
      return { ...model, state: 'paused', reason: 'disk-full', error: this.#storeError };
    const wait = entry?.waits.current ?? null;
    if (wait === null) return model;
    return { ...model, wait: { until: new Date(wait.untilMs).toISOString(), error: wait.error } };
  }
}

export const storeRetryMs = 5000;
/** Retry-After counts for an hour at most, and no other wait of a job is longer. */
const longestWaitMs = 61 * 60_000;
/** A backoff is hardly longer than this; what a clock is corrected by from time to time is less. */
const toleratedSetBackMs = 60_000;
const idsPage = 1000;

/** What a driver has thrown where it should have decided: a fault of the program. */
class WrongDecision extends Error {}

function decided<T>(decide: () => T): T {
  try {
    return decide();
  } catch (cause) {
    throw new WrongDecision('A job could not be decided on.', { cause });
  }
}
