import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import type { Clock, Logger } from '../ports.ts';
import { JobWaits, type JobWait } from './job-waits.ts';
import type { AnyDriver, AnyEvent } from './job-reader.ts';
import type { BaseJob, Live, NewAttempt } from './job.ts';

interface Running {
  readonly lockKey: string;
  readonly meter: SpeedMeter;
  readonly waits: JobWaits;
  controller: AbortController;
  run: number;
  live: { bytesDone: number; partsDone: number } | null;
}

export interface EffectsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly driverOf: (kind: string) => AnyDriver;
  /** Delivers an event from the effect of this run. `write` is part of the same transaction. */
  readonly deliver: (jobId: string, run: number, event: AnyEvent, write?: () => void) => void;
  readonly log: (jobId: string, attempt: NewAttempt) => void;
  /** Called when a value shown in the job's row changed. */
  readonly touch: (jobId: string) => void;
  /** Called when the effect of this run has ended and the job started no other. */
  readonly ended: (jobId: string, run: number) => void;
  /** Called when a slot or a lock may be free. */
  readonly freed: () => void;
}

/** Runs effects, at most one for each job and each lock. */
export class Effects {
  readonly #deps: EffectsDeps;
  readonly #running = new Map<string, Running>();
  /** The effects that have not ended. Stopped effects are among them, because they still hold their locks. */
  readonly #ending = new Set<{ readonly lockKey: string; readonly ended: Promise<void> }>();
  #closed = false;

  constructor(deps: EffectsDeps) {
    this.#deps = deps;
  }

  /** The number of slots in use, one for each job with a running effect. */
  get count(): number {
    return this.#running.size;
  }

  has(jobId: string): boolean {
    return this.#running.has(jobId);
  }

  /** Returns the run of the job's effect; null if none is running. */
  runOf(jobId: string): number | null {
    return this.#running.get(jobId)?.run ?? null;
  }

  get lockKeys(): readonly string[] {
    return [...this.#ending].map((entry) => entry.lockKey);
  }

  /** Returns the progress of a running job; null before the first report. */
  live(jobId: string): Live | null {
    const entry = this.#running.get(jobId);
    if (entry === undefined || entry.live === null) return null;
    return { ...entry.live, bytesPerSecond: entry.meter.bytesPerSecond() };
  }

  /** Returns the backoff that the service requested for the running job; null if none. */
  waitOf(jobId: string): JobWait | null {
    return this.#running.get(jobId)?.waits.current ?? null;
  }

  /** Ends the backoff of a job at once, for “Try again now”. */
  endWait(jobId: string): void {
    this.#running.get(jobId)?.waits.end();
  }

  endWaits(): void {
    for (const { waits } of this.#running.values()) waits.end();
  }

  /** Resolves once no effect holds this lock. */
  async released(lockKey: string): Promise<void> {
    await Promise.all([...this.#ending].flatMap((entry) => (entry.lockKey === lockKey ? [entry.ended] : [])));
  }

  /** Resolves when all effects have ended, including stopped ones. */
  async idle(): Promise<void> {
    while (this.#running.size > 0 || this.#ending.size > 0)
      await Promise.race([...this.#ending].map((entry) => entry.ended));
  }

  stop(jobId: string): void {
    const entry = this.#running.get(jobId);
    if (entry === undefined) return;
    this.#running.delete(jobId);
    entry.waits.end();
    entry.controller.abort(failure('cancelled', 'The job was stopped.'));
  }

  /** Stops all effects and waits for their end. No effect starts afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const entry of running) entry.controller.abort(failure('cancelled', 'Cooper is quitting.'));
    await Promise.all([...this.#ending].map((entry) => entry.ended));
  }

  begin(job: BaseJob, effect: { readonly kind: string }): void {
    // The program is ending. The stored job starts this effect again at the next start of the program.
    if (this.#closed) return;
    const controller = new AbortController();
    const entry: Running = this.#running.get(job.id) ?? {
      lockKey: job.lockKey,
      meter: new SpeedMeter(this.#deps.clock),
      waits: new JobWaits(this.#deps.clock, () => this.#deps.touch(job.id)),
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
        // Aborts requests that the effect left in flight.
        controller.abort(failure('cancelled', 'The effect of this job has ended.'));
        if (isLast) this.#deps.ended(job.id, job.run);
        this.#deps.freed();
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
    const { deliver, log, touch, driverOf, logger } = this.#deps;
    const { run } = job;
    const isCurrent = (): boolean => !this.#closed && entry.run === run && !controller.signal.aborted;
    let event: AnyEvent;
    try {
      event = await driverOf(job.kind).perform(effect, job, {
        signal: controller.signal,
        emit: (inner: AnyEvent, write?: () => void) => {
          if (isCurrent()) deliver(job.id, run, inner, write);
        },
        progress: (bytesDone, partsDone) => {
          if (!isCurrent()) return;
          entry.live = { bytesDone, partsDone };
          entry.meter.sample(bytesDone);
          touch(job.id);
        },
        waits: entry.waits,
        log: (attempt) => log(job.id, attempt),
      });
    } catch (thrown) {
      event = { kind: 'failed', error: toAppError(thrown) };
      if (!(thrown instanceof AppFailure))
        logger.error('A job failed unexpectedly', { thrown: String(thrown) });
    }
    if (isCurrent()) deliver(job.id, run, event);
  }
}

const windowMs = 10_000;

/** Measures bytes per second over the last ten seconds. */
class SpeedMeter {
  readonly #clock: Clock;
  #samples: { atMs: number; bytes: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  sample(bytes: number): void {
    const atMs = this.#clock.monotonicMs();
    const last = this.#samples.at(-1);
    // Fewer bytes than before mean that a new phase started.
    if (last !== undefined && bytes < last.bytes) this.#samples = [];
    if (last !== undefined && atMs - last.atMs < 100 && this.#samples.length > 1) last.bytes = bytes;
    else this.#samples.push({ atMs, bytes });
    while (this.#samples.length > 2 && atMs - (this.#samples[0]?.atMs ?? atMs) > windowMs)
      this.#samples.shift();
  }

  /** Returns the speed; null if there are too few samples. */
  bytesPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < 500) return null;
    return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs);
  }
}
