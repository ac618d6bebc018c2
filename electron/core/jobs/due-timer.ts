import type { Clock } from '../ports.ts';

/** The maximum time of one timer in ms. Longer ones would be wrong after the wall clock was changed or the computer slept. */
const longestSleepMs = 60_000;

interface SetTimer {
  readonly atMs: number;
  readonly stop: AbortController;
}

/** One timer for the earliest due time. It may fire early: the callback checks what is due and sets it again. */
export class DueTimer {
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
    const delayMs = Math.min(Math.max(0, dueMs - nowMs), longestSleepMs);
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
