import type { AppError } from '../../../shared/errors.ts';
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
import { Clearing } from './clearing.ts';
import { Effects } from './effects.ts';
import { JobModels, type Unattended } from './job-models.ts';
import { JobReader, type AnyDriver, type AnyEvent } from './job-reader.ts';
import { JobScheduler } from './job-scheduler.ts';
import { JobSlices, type Submission } from './job-slices.ts';
import type { JobStore } from './job-store.ts';
import { JobTransitions } from './job-transitions.ts';
import { isFinal, isResting, type BaseJob, type EngineEvent } from './job.ts';
import { RefusedWrites } from './refused-writes.ts';

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

/** Runs jobs: chooses the next one, lets its driver decide, and stores each decision before it is carried out. */
export class JobEngine {
  readonly #deps: EngineDeps;
  readonly #store: JobStore;
  readonly #reader: JobReader;
  readonly #effects: Effects;
  readonly #refused: RefusedWrites;
  readonly #clearing: Clearing;
  readonly #models: JobModels;
  readonly #transitions: JobTransitions;
  readonly #scheduler: JobScheduler;
  readonly #slices: JobSlices;
  /** The jobs that stopped because of a bug in the program, with the error of each. Other jobs continue. */
  readonly #stuck = new Map<string, AppError>();
  readonly changes: JobChanges;
  #settings: JobSettings;
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
      deliver: (jobId, run, event, write) => this.#transitions.deliver(jobId, run, event, write),
      log: (jobId, attempt) => this.#transitions.log(jobId, attempt),
      touch: (jobId) => this.changes.touch(jobId),
      ended: (jobId, run) => this.#transitions.stopUndecided(jobId, run),
      freed: () => this.#scheduler.schedule(),
    });
    this.#refused = new RefusedWrites(clock, logger, () => this.#retryStore());
    this.#settings = this.#store.readSettings();
    this.changes = new JobChanges(clock, this.#store, (id) => this.#models.job(id));
    const parts = {
      store: this.#store,
      reader: this.#reader,
      effects: this.#effects,
      refused: this.#refused,
      stuck: this.#stuck,
      clock,
      logger,
      isStopped: () => this.#stopped,
    };
    this.#models = new JobModels(parts);
    this.#slices = new JobSlices({
      ...parts,
      changes: this.changes,
      schedule: () => this.#scheduler.schedule(),
    });
    this.#clearing = new Clearing({ ...parts, slices: this.#slices, changes: this.changes });
    this.#transitions = new JobTransitions({
      ...parts,
      clearing: this.#clearing,
      models: this.#models,
      changes: this.changes,
      random: deps.random,
      onSettled: deps.onSettled,
      onGone: deps.onGone,
    });
    this.#scheduler = new JobScheduler({
      ...parts,
      transitions: this.#transitions,
      jobsAtOnce: () => this.#settings.jobsAtOnce,
      isRunning: () => this.#started && !this.#stopped,
      wake: () => this.wake(),
    });
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
    this.#scheduler.schedule();
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
    this.#scheduler.schedule();
    this.#slices.inBackground(() => this.#slices.setUnfitAside());
  }

  /** Stops all effects without changing a job. The next start continues from the stored jobs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#scheduler.stop();
    this.#refused.close();
    this.changes.close();
    await this.#effects.close();
  }

  /** Stores a new job. `write` is part of the same transaction. */
  submit(job: BaseJob, write?: () => void): void {
    this.#store.transaction(() => this.#slices.insert({ job, ...(write === undefined ? {} : { write }) }));
    this.#store.afterCommit(() => this.#scheduler.schedule());
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
    await this.#slices.submitMany(requests, make, made, refuse);
  }

  /** Makes jobs that wait for a retry continue at once, after the computer slept or when the network is back. */
  wake(): void {
    this.#effects.endWaits();
    const filter: JobFilter = { states: ['retry-scheduled', 'verifying-outcome'], connectionId: null };
    this.#slices.inBackground(() => this.sendMany(null, filter, { kind: 'retry-now', isAutomatic: true }));
  }

  /** Continues jobs that waited for new credentials or settings of a connection. */
  connectionChanged(connectionId: string): void {
    const filter: JobFilter = { states: ['paused', 'needs-attention'], connectionId };
    this.#slices.inBackground(() => this.sendMany(null, filter, { kind: 'keys-changed' }));
  }

  /**
   * Sends an event from the user or from another part of the program to a job. Returns false if the job does not exist. Throws
   * WrongDecision if the driver's transition throws.
   */
  send(jobId: string, event: AnyEvent): boolean {
    this.#retryStoreIfAsked(event);
    const jobExists = this.#transitions.handle(jobId, event);
    this.#store.afterCommit(() => this.#scheduler.schedule());
    return jobExists;
  }

  /** Sends an event to these jobs, or to all that match the filter. Returns how many received it. */
  async sendMany(jobIds: readonly string[] | null, filter: JobFilter, event: EngineEvent): Promise<number> {
    this.#retryStoreIfAsked(event);
    let count = 0;
    await this.#slices.inSlices<string | null>(jobIds ?? this.#slices.idsOf(filter), (id) => {
      if (id !== null && this.#transitions.handleIsolated(id, event)) count += 1;
    });
    return count;
  }

  /** Pauses every job that could run. Called before the queue starts, when the stored records may be outdated. */
  pauseAll(): void {
    const states = jobStates.filter((state) => !isResting(state));
    this.#store.transaction(() => {
      for (const id of this.#slices.idsOf({ states, connectionId: null }))
        if (id !== null) this.#transitions.handleIsolated(id, { kind: 'pause' });
    });
  }

  /** Moves a waiting job before or after all other waiting ones. Returns false if it is not waiting. */
  reorder(jobId: string, to: Turn): boolean {
    const moved = this.#store.reorder(jobId, to);
    if (moved) this.changes.reordered();
    this.#scheduler.schedule();
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
    const removed = await this.#clearing.clear(jobIds);
    if (removed > 0) this.#deps.onGone?.();
    return removed;
  }

  /** Resolves when no effect is running or about to start. For tests and an orderly shutdown. */
  async idle(): Promise<void> {
    await this.#effects.idle();
  }

  /** Returns the unfinished jobs that nothing will ever continue (see `whyUnattended`); for tests. Reads every unfinished job. */
  unattended(): readonly Unattended[] {
    if (!this.#started || this.#stopped) return [];
    return this.#models.unattended(this.#settings.jobsAtOnce, this.#scheduler.timerAtMs);
  }

  /** Retries the writes that the disk rejected, if the user chose “Try again now” or “Resume”. */
  #retryStoreIfAsked({ kind }: AnyEvent): void {
    if (this.#refused.error !== null && (kind === 'retry-now' || kind === 'resume')) this.#retryStore();
  }

  #retryStore(): void {
    if (this.#stopped || this.#refused.error === null) return;
    const unstored = this.#refused.writeAgain(
      () => {
        if (!this.#hasRecovered) this.#recover();
      },
      (jobId, event) => this.#transitions.storeAgain(jobId, event),
      (jobId) => {
        this.changes.touch(jobId);
        const job = this.#reader.load(jobId);
        if (job !== null && !this.#effects.has(jobId)) this.#transitions.stopUndecided(jobId, job.run);
      },
    );
    for (const tell of unstored ?? []) this.#slices.inBackground(tell);
    this.#scheduler.schedule();
  }

  #recover(): void {
    this.#transitions.restartAll();
    this.#hasRecovered = true;
  }
}
