import type { AppError } from '../../../shared/errors.ts';
import type { Clock } from '../ports.ts';

/** Why a running job pauses its requests, and until when. */
export interface JobWait {
  readonly untilMs: number;
  readonly error: AppError;
}

interface CurrentWait extends JobWait {
  readonly ended: AbortController;
}

/**
 * The backoff that a service requests for a running job. It applies to all requests of the job and appears in its row. It ends
 * after its time, or when the user chooses "Try again now".
 */
export class JobWaits {
  readonly #clock: Clock;
  readonly #onChanged: () => void;
  #current: CurrentWait | null = null;

  constructor(clock: Clock, onChanged: () => void = () => undefined) {
    this.#clock = clock;
    this.#onChanged = onChanged;
  }

  /** The current wait; null if none. */
  get current(): JobWait | null {
    return this.#current;
  }

  /** Delays all requests of the job. A wait shorter than the current one changes nothing. */
  hold(delayMs: number, error: AppError): void {
    const untilMs = this.#clock.nowMs() + delayMs;
    if (delayMs <= 0 || (this.#current !== null && this.#current.untilMs >= untilMs)) return;
    const before = this.#current;
    const wait = { untilMs, error, ended: new AbortController() };
    this.#current = wait;
    void this.#clock.sleep(delayMs, wait.ended.signal).then(
      () => this.#finish(wait),
      () => undefined,
    );
    // Wakes the requests that waited for the shorter delay; they then wait for this one.
    before?.ended.abort();
    this.#onChanged();
  }

  /** Resolves once no wait is set; rejects with the signal's reason if that aborts first. */
  async passed(signal: AbortSignal): Promise<void> {
    while (this.#current !== null) await aborted(this.#current.ended.signal, signal);
    signal.throwIfAborted();
  }

  /** Delays all requests of the job and resolves after the delay. */
  async wait(delayMs: number, error: AppError, signal: AbortSignal): Promise<void> {
    this.hold(delayMs, error);
    await this.passed(signal);
  }

  /** Ends the current wait ("Try again now"). */
  end(): void {
    if (this.#current !== null) this.#finish(this.#current);
  }

  #finish(wait: CurrentWait): void {
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
    const onAbort = (): void => {
      awaited.removeEventListener('abort', onAbort);
      signal.removeEventListener('abort', onAbort);
      if (awaited.aborted) resolve();
      else reject(signal.reason as Error);
    };
    awaited.addEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort);
  });
}
