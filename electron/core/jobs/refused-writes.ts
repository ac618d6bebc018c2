import { toAppError, type AppError } from '../../../shared/errors.ts';
import { retryPolicies } from '../flow/retry-policies.ts';
import type { Clock, Logger } from '../ports.ts';
import type { AnyEvent } from './job-reader.ts';

/** An event of a job's effect that could not be stored, and the other writes of its transaction. */
export interface UnstoredEvent {
  readonly event: AnyEvent;
  readonly run: number;
  readonly write: (() => void) | undefined;
}

/** Writes that the disk rejected, for example because it is full. They are kept in order and retried. No job starts meanwhile. */
export class RefusedWrites {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #retry: () => void;
  readonly #events = new Map<string, UnstoredEvent[]>();
  /** Deferred calls that send an event to many jobs. */
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #error: AppError | null = null;
  #timerIsSet = false;
  #closed = false;

  /** `retry` is called some time after each failure. */
  constructor(clock: Clock, logger: Logger, retry: () => void) {
    this.#clock = clock;
    this.#logger = logger;
    this.#retry = retry;
  }

  /** The error of the last write; null if writing works. */
  get error(): AppError | null {
    return this.#error;
  }

  get timerIsSet(): boolean {
    return this.#timerIsSet;
  }

  /** The jobs with pending events. */
  get jobIds(): readonly string[] {
    return [...this.#events.keys()];
  }

  has(jobId: string): boolean {
    return this.#events.has(jobId);
  }

  /** Appends an event to the pending ones of its job. */
  keep(jobId: string, event: UnstoredEvent): void {
    const waiting = this.#events.get(jobId);
    if (waiting === undefined) this.#events.set(jobId, [event]);
    else waiting.push(event);
  }

  keepTelling(tell: () => Promise<unknown>): void {
    this.#waiting.push(tell);
  }

  forget(jobId: string): void {
    this.#events.delete(jobId);
  }

  failed(thrown: unknown): void {
    this.#error = toAppError(thrown);
    this.#logger.error('Could not save jobs; the writes will be retried.', { message: this.#error.message });
    this.#retryLater();
  }

  /**
   * Retries the pending writes: calls `begin` first, then `refuse` for each event of each job. `refuse` stores the event, and
   * throws if the disk rejects it again. Calls `settled` for each job without further events. Returns the deferred calls; null if
   * the disk still rejects writes.
   */
  writeAgain(
    begin: () => void,
    refuse: (jobId: string, event: UnstoredEvent) => void,
    settled: (jobId: string) => void,
  ): readonly (() => Promise<unknown>)[] | null {
    try {
      begin();
      for (const [jobId, events] of this.#events) {
        for (let [first] = events; first !== undefined; [first] = events) {
          refuse(jobId, first);
          if (!this.#events.has(jobId)) break;
          events.shift();
        }
        this.#events.delete(jobId);
        settled(jobId);
      }
      this.#error = null;
      return this.#waiting.splice(0);
    } catch (thrown) {
      this.#error = toAppError(thrown);
      this.#retryLater();
      return null;
    }
  }

  close(): void {
    this.#closed = true;
  }

  #retryLater(): void {
    if (this.#closed || this.#timerIsSet) return;
    this.#timerIsSet = true;
    const over = (): void => {
      this.#timerIsSet = false;
      if (!this.#closed) this.#retry();
    };
    void this.#clock.sleep(retryPolicies.jobStore.baseMs).then(over, over);
  }
}
