import type { AppError } from '../../../shared/errors.ts';
import type { Clock } from '../ports.ts';

/** Why a job that is at work does nothing for a while, and until when. */
export interface JobWait {
  readonly untilMs: number;
  readonly error: AppError;
}

interface HeldWait extends JobWait {
  readonly ended: AbortController;
}

/**
 * The waits that a service asks a job for while it is at work. They hold for all of its requests, are shown in its row, and
 * end when their time has come, or when the user says "Try now".
 */
export class JobWaits {
  readonly #clock: Clock;
  readonly #onChanged: () => void;
  #current: HeldWait | null = null;

  constructor(clock: Clock, onChanged: () => void = () => undefined) {
    this.#clock = clock;
    this.#onChanged = onChanged;
  }

  /** null: nothing is waited for. */
  get current(): JobWait | null {
    return this.#current;
  }

  /** No request of the job goes out before that time. A shorter wait than the present one changes nothing. */
  hold(delayMs: number, error: AppError): void {
    const untilMs = this.#clock.nowMs() + delayMs;
    if (delayMs <= 0 || (this.#current !== null && this.#current.untilMs >= untilMs)) return;
    const before = this.#current;
    const own = { untilMs, error, ended: new AbortController() };
    this.#current = own;
    void this.#clock.sleep(delayMs, own.ended.signal).then(
      () => this.#over(own),
      () => undefined,
    );
    // Those who waited for the shorter one look again, and wait for this one.
    before?.ended.abort();
    this.#onChanged();
  }

  /** Resolves when nothing is waited for; rejects with the signal's reason when that aborts first. */
  async passed(signal: AbortSignal): Promise<void> {
    while (this.#current !== null) await aborted(this.#current.ended.signal, signal);
    signal.throwIfAborted();
  }

  /** Holds all requests of the job for this time, and waits for the end of that. */
  async wait(delayMs: number, error: AppError, signal: AbortSignal): Promise<void> {
    this.hold(delayMs, error);
    await this.passed(signal);
  }

  /** "Try now". */
  end(): void {
    if (this.#current !== null) this.#over(this.#current);
  }

  #over(wait: HeldWait): void {
    if (this.#current !== wait) return;
    this.#current = null;
    wait.ended.abort();
    this.#onChanged();
  }
}

/** Resolves when `awaited` aborts; rejects when `signal` does. */
function aborted(awaited: AbortSignal, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const over = (): void => {
      awaited.removeEventListener('abort', over);
      signal.removeEventListener('abort', over);
      if (awaited.aborted) resolve();
      else reject(signal.reason as Error);
    };
    awaited.addEventListener('abort', over);
    signal.addEventListener('abort', over);
  });
}
