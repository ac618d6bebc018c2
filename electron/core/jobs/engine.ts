import { AppFailure, failure, toAppError, type AppError } from '../../../shared/errors.ts';
import {
  jobStates,
  type Attempt,
  type Job,
  type JobFilter,
  type JobSettings,
  type JobState,
  type Turn,
} from '../../../shared/models/jobs.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import { JobChanges } from './changes.ts';
import { SpeedMeter } from './speed.ts';
import type { JobStore, StoredJob } from './store.ts';
import {
  isFinal,
  isResting,
  runningStates,
  type BaseJob,
  type Driver,
  type EngineEvent,
  type Live,
  type NewAttempt,
} from './types.ts';

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
  controller: AbortController;
  run: number;
  live: { bytesDone: number; partsDone: number } | null;
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
  /** Jobs that their driver would not start: a defect, which must not stop the others. */
  readonly #refusing = new Set<string>();
  #storeError: AppError | null = null;
  readonly changes: JobChanges;
  #settings: JobSettings;
  #timer: AbortController | null = null;
  #started = false;
  #stopped = false;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#store = deps.store;
    for (const driver of deps.drivers) for (const kind of driver.kinds) this.#drivers.set(kind, driver);
    this.#settings = this.#store.readSettings();
    this.changes = new JobChanges(deps.clock, this.#store, (id) => this.#modelById(id));
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
    for (const row of this.#store.inStates(runningStates, 0, 10_000)) {
      const job = this.#parse(row);
      if (job !== null) this.#apply(job, { kind: 'restarted' });
    }
    this.#schedule();
  }

  /** Ends all effects without changing any job: the next start goes on from what is stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.abort();
    this.changes.close();
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const entry of running) entry.controller.abort(failure('cancelled', 'The program ends.'));
    await Promise.all([...this.#ending].map((entry) => entry.ended));
  }

  /** Stores a new job; `write` joins its transaction. */
  submit(job: BaseJob, write?: () => void): void {
    this.#store.transaction(() => {
      this.#store.insert(job);
      write?.();
    });
    this.changes.added(job.state);
    this.changes.touch(job.id);
    this.#schedule();
  }

  /** After sleep, or when the network came back: what waits for its time is tried now. */
  wake(): void {
    for (const row of this.#store.inStates(['retry-scheduled', 'verifying-outcome'], 0, 1000))
      this.send(row.id, { kind: 'retry-now' });
    this.#schedule();
  }

  /** The keys or settings of a connection changed: jobs that waited for that go on. */
  connectionChanged(connectionId: string): void {
    const ids = this.#idsOf({ states: ['paused', 'needs-attention'], connectionId });
    this.#store.transaction(() => {
      for (const id of ids) {
        const job = this.#load(id);
        if (job !== null) this.#apply(job, { kind: 'keys-changed' });
      }
    });
    this.#schedule();
  }

  /** Sends an event from outside. False: there is no such job. */
  send(jobId: string, event: AnyEvent): boolean {
    const job = this.#load(jobId);
    if (job === null) return false;
    this.#apply(job, event);
    this.#schedule();
    return true;
  }

  /** The same event for many: the given ones, or all that pass the filter. Answers how many there were. */
  async sendMany(jobIds: readonly string[] | null, filter: JobFilter, event: EngineEvent): Promise<number> {
    let count = 0;
    const ids = jobIds ?? this.#idsOf(filter);
    for (let index = 0; index < ids.length; index += 200) {
      this.#store.transaction(() => {
        for (const id of ids.slice(index, index + 200)) {
          const job = this.#load(id);
          if (job === null) continue;
          count += 1;
          this.#apply(job, event);
        }
      });
      // A long queue must not hold up the window.
      await breathe();
    }
    this.#schedule();
    return count;
  }

  /** Puts a job that waits before or after all others that wait. False: it does not wait. */
  reorder(jobId: string, to: Turn): boolean {
    const moved = this.#store.reorder(jobId, to);
    if (moved) this.changes.reordered();
    this.#schedule();
    return moved;
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
    return this.#store
      .withLock(lockKey)
      .flatMap((row) => this.#parse(row) ?? [])
      .filter((job) => !isFinal(job.state));
  }

  ofLock(lockKey: string): readonly BaseJob[] {
    return this.#store.withLock(lockKey).flatMap((row) => this.#parse(row) ?? []);
  }

  /** Removes jobs at rest with all that belongs to them. A paused one is not cleared by "all". */
  async clear(jobIds: readonly string[] | null): Promise<number> {
    const filter: JobFilter = { states: ['done', 'cancelled'], connectionId: null };
    const ids = jobIds ?? this.#idsOf(filter);
    let removed = 0;
    for (let index = 0; index < ids.length; index += 200) {
      const gone: { id: string; state: JobState }[] = [];
      this.#store.transaction(() => {
        for (const id of ids.slice(index, index + 200)) {
          const job = this.#load(id);
          if (job === null || (!isFinal(job.state) && job.state !== 'needs-attention')) continue;
          this.#store.remove(id);
          this.#driverOf(job.kind).remove?.(id);
          gone.push({ id, state: job.state });
        }
      });
      for (const { id, state } of gone) this.changes.removed(id, state);
      removed += gone.length;
      await breathe();
    }
    if (removed > 0) this.#deps.onGone?.();
    return removed;
  }

  /** Resolves when no effect is under way and none is about to begin; for tests and a clean end. */
  async idle(): Promise<void> {
    while (this.#running.size > 0 || this.#ending.size > 0)
      await Promise.race([...this.#ending].map((entry) => entry.ended));
  }

  #idsOf(filter: JobFilter): readonly string[] {
    return this.#store.idsOf(filter.states ?? jobStates, filter.connectionId);
  }

  /** The decision is stored first, then acted on. */
  #apply(job: BaseJob, event: AnyEvent, write?: () => void): void {
    const driver = this.#driverOf(job.kind);
    const moment = { nowMs: this.#deps.clock.nowMs(), fraction: this.#deps.random.fraction() };
    const step = driver.transition(job, event, moment);
    const next: BaseJob = step.job;
    if (next === job && write === undefined) return;
    this.#store.transaction(() => {
      if (next !== job) this.#store.update(next);
      driver.persist?.(next, event);
      write?.();
    });
    this.changes.moved(job.state, next.state);
    this.changes.touch(next.id);
    for (const effect of step.effects) {
      if (effect.kind === 'stop') this.#stopEffect(next.id);
      else this.#begin(next, effect);
    }
    const entry = this.#running.get(next.id);
    if (entry !== undefined && entry.run !== next.run) this.#stopEffect(next.id);
    if (next.state !== job.state && isResting(next.state)) this.#settled(next);
  }

  #settled(job: BaseJob): void {
    if (isFinal(job.state)) this.#deps.onGone?.();
    const model = this.#toModel(job);
    if (model.reason !== 'by-user' && model.state !== 'cancelled') {
      this.changes.settled(job.id);
      this.#deps.onSettled?.(model);
    }
  }

  #stopEffect(jobId: string): void {
    const entry = this.#running.get(jobId);
    if (entry === undefined) return;
    this.#running.delete(jobId);
    entry.controller.abort(failure('cancelled', 'The job was stopped.'));
  }

  #begin(job: BaseJob, effect: { readonly kind: string }): void {
    const before = this.#running.get(job.id);
    const controller = new AbortController();
    const entry: Running = before ?? {
      lockKey: job.lockKey,
      meter: new SpeedMeter(this.#deps.clock),
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
        if (this.#running.get(job.id)?.controller === controller) this.#running.delete(job.id);
        this.#schedule();
      }),
    };
    this.#ending.add(ending);
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
    const job = this.#load(jobId);
    if (job === null || job.run !== run) return;
    try {
      this.#apply(job, event, write);
    } catch (thrown) {
      this.#storeFailed(thrown);
      this.#unstored.set(jobId, [{ event, run, write }]);
      this.changes.touch(jobId);
    }
  }

  #storeFailed(thrown: unknown): void {
    this.#storeError = toAppError(thrown);
    this.#deps.logger.error('The queue could not be written', { message: this.#storeError.message });
    this.#retryStoreLater();
  }

  #retryStoreLater(): void {
    if (this.#stopped) return;
    void this.#deps.clock.sleep(storeRetryMs).then(
      () => this.#retryStore(),
      () => undefined,
    );
  }

  #retryStore(): void {
    if (this.#stopped) return;
    try {
      for (const [jobId, events] of this.#unstored) {
        while (events.length > 0) {
          const [first] = events;
          const job = this.#load(jobId);
          if (first !== undefined && job !== null && job.run === first.run)
            this.#apply(job, first.event, first.write);
          events.shift();
        }
        this.#unstored.delete(jobId);
        this.changes.touch(jobId);
      }
      this.#storeError = null;
      this.#schedule();
    } catch (thrown) {
      this.#storeError = toAppError(thrown);
      this.#retryStoreLater();
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

  #schedule(): void {
    if (!this.#started || this.#stopped || this.#storeError !== null) return;
    try {
      this.#fillSlots();
      this.#setTimer();
    } catch (thrown) {
      this.#storeFailed(thrown);
    }
  }

  #fillSlots(): void {
    while (this.#running.size < this.#settings.jobsAtOnce) {
      const held = new Set([...this.#ending].map((entry) => entry.lockKey));
      const limit = held.size + this.#unstored.size + this.#refusing.size + 1;
      const next = this.#store
        .startable(this.#deps.clock.nowMs(), limit)
        .find((job) => !held.has(job.lockKey) && !this.#unstored.has(job.id) && !this.#refusing.has(job.id));
      if (next === undefined) return;
      const job = this.#load(next.id);
      if (job === null) continue;
      const before = job.state;
      this.#apply(job, { kind: 'started' });
      const after = this.#load(next.id);
      // A driver that starts nothing and changes nothing would be asked for ever.
      if (after !== null && after.state === before && !this.#running.has(next.id)) {
        this.#deps.logger.error('A job cannot start', { jobId: next.id, state: before });
        this.#refusing.add(next.id);
      }
    }
  }

  #setTimer(): void {
    this.#timer?.abort();
    this.#timer = null;
    const dueMs = this.#store.nextDueMs();
    if (dueMs === null) return;
    const delayMs = dueMs - this.#deps.clock.nowMs();
    // What is due and did not start waits for a slot or a lock, whose end calls again.
    if (delayMs <= 0) return;
    const timer = new AbortController();
    this.#timer = timer;
    // Short sleeps: this computer's clock may be set, or the computer may sleep.
    void this.#deps.clock.sleep(Math.min(delayMs, 60_000), timer.signal).then(
      () => this.#schedule(),
      () => undefined,
    );
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
    if (this.#storeError === null || !this.#unstored.has(job.id)) return model;
    return { ...model, state: 'paused', reason: 'disk-full', error: this.#storeError };
  }
}

export const storeRetryMs = 5000;

function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
