import { failure, type AppError } from '../../../shared/errors.ts';
import type { Clock } from '../ports.ts';
import type { Effects } from './effects.ts';
import type { JobReader } from './job-reader.ts';
import type { JobStore } from './job-store.ts';
import { isProgramFault, type JobTransitions } from './job-transitions.ts';
import type { RefusedWrites } from './refused-writes.ts';

interface JobSchedulerDeps {
  readonly store: JobStore;
  readonly reader: JobReader;
  readonly effects: Effects;
  readonly refused: RefusedWrites;
  readonly transitions: JobTransitions;
  readonly clock: Clock;
  readonly stuck: ReadonlyMap<string, AppError>;
  readonly jobsAtOnce: () => number;
  /** Returns true between the start and the stop of the queue. */
  readonly isRunning: () => boolean;
  /** Makes jobs that wait for a retry continue at once. */
  readonly wake: () => void;
}

/** Starts jobs when a slot is free and when they are due. */
export class JobScheduler {
  readonly #deps: JobSchedulerDeps;
  readonly #timer: DueTimer;
  #lastReading: { readonly wallMs: number; readonly steadyMs: number } | null = null;

  constructor(deps: JobSchedulerDeps) {
    this.#deps = deps;
    this.#timer = new DueTimer(deps.clock, () => this.schedule());
  }

  /** The wall-clock time at which the timer for the next due job fires; null if it is not set. */
  get timerAtMs(): number | null {
    return this.#timer.atMs;
  }

  stop(): void {
    this.#timer.clear();
  }

  /**
   * Starts the jobs that may start, and sets the timer for the next due job. Uses one clock reading, so that no due time is
   * missed.
   */
  schedule(): void {
    if (!this.#deps.isRunning() || this.#deps.refused.error !== null) return;
    try {
      this.#wakeAfterClockChange();
      const nowMs = this.#deps.clock.nowMs();
      this.#fillSlots(nowMs);
      // Jobs that are already due need no timer. They wait for a slot or a lock, and this function runs again when one is free.
      this.#timer.set(this.#deps.store.nextDueMs(nowMs), nowMs);
    } catch (thrown) {
      this.#deps.refused.failed(thrown);
    }
  }

  /** Wakes jobs if the clock was set back, because that would delay their retries. */
  #wakeAfterClockChange(): void {
    const now = { wallMs: this.#deps.clock.nowMs(), steadyMs: this.#deps.clock.monotonicMs() };
    const last = this.#lastReading;
    this.#lastReading = now;
    if (last === null) return;
    const setBackMs = now.steadyMs - last.steadyMs - (now.wallMs - last.wallMs);
    if (setBackMs > toleratedSetBackMs) this.#deps.wake();
  }

  #fillSlots(nowMs: number): void {
    while (this.#deps.effects.count < this.#deps.jobsAtOnce()) {
      const next = this.#deps.store.startable(nowMs, {
        lockKeys: this.#deps.effects.lockKeys,
        ids: [...this.#deps.refused.jobIds, ...this.#deps.stuck.keys()],
      });
      if (next === null) return;
      const job = this.#deps.reader.load(next);
      if (job === null) continue;
      try {
        this.#deps.transitions.apply(job, { kind: 'started' }, undefined, nowMs);
      } catch (thrown) {
        if (!isProgramFault(thrown)) throw thrown;
        this.#deps.transitions.stick(next, thrown);
        continue;
      }
      // The job's effect did not start and no timer is set for it. Selecting it again would loop forever.
      const reloaded = this.#deps.reader.load(next);
      const isDue =
        reloaded?.state === 'waiting' ||
        (reloaded !== null && reloaded.dueMs !== null && reloaded.dueMs <= nowMs);
      if (isDue && !this.#deps.effects.has(next))
        this.#deps.transitions.stick(
          next,
          failure('internal', `The job does not start from the state ${job.state}.`),
        );
    }
  }
}

/** A clock that was set back by less is ignored. It hardly delays a retry, and regular corrections are smaller. */
const toleratedSetBackMs = 60_000;

/** The maximum time of one timer in ms. Longer ones would be wrong after the wall clock was changed or the computer slept. */
const maxSleepMs = 60_000;

interface SetTimer {
  readonly atMs: number;
  readonly stop: AbortController;
}

/** One timer for the earliest due time. It may fire early: the callback checks what is due and sets it again. */
class DueTimer {
  readonly #clock: Clock;
  readonly #onFired: () => void;
  #set: SetTimer | null = null;

  constructor(clock: Clock, onFired: () => void) {
    this.#clock = clock;
    this.#onFired = onFired;
  }

  /** The wall-clock time at which it fires; null if it is not set. */
  get atMs(): number | null {
    return this.#set?.atMs ?? null;
  }

  /** Fires at `dueMs` or earlier. `nowMs` is the clock reading with which the caller found `dueMs`. */
  set(dueMs: number | null, nowMs: number): void {
    if (dueMs === null) {
      this.clear();
      return;
    }
    const delayMs = Math.min(Math.max(0, dueMs - nowMs), maxSleepMs);
    const atMs = nowMs + delayMs;
    if (this.#set !== null && this.#set.atMs <= atMs) return;
    this.clear();
    const stop = new AbortController();
    const timer = { atMs, stop };
    this.#set = timer;
    void this.#clock.sleep(delayMs, stop.signal).then(
      () => this.#fired(timer),
      () => undefined,
    );
  }

  #fired(timer: SetTimer): void {
    if (this.#set !== timer) return;
    this.#set = null;
    this.#onFired();
  }

  clear(): void {
    this.#set?.stop.abort();
    this.#set = null;
  }
}
