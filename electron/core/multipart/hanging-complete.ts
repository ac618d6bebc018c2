import { failure } from '../../../shared/errors.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import type { Clock } from '../ports.ts';

/** If no byte of the response arrives for this time in ms, the key is checked while the Complete request is in flight. */
export const silenceMs = retryPolicies.silentComplete.baseMs;
/** The longest interval in ms between two checks of the key. */
export const maxCheckIntervalMs = retryPolicies.silentComplete.maxMs;
/**
 * If no byte of the response arrives for this time in ms, the Complete request is aborted. No service needs longer, and the
 * connection may be dead without an error.
 */
export const maxSilenceMs = 20 * 60_000;
/** The maximum duration of one Complete request in ms, even if bytes of the response keep arriving. */
export const maxCompleteMs = 60 * 60_000;
/** The interval in ms at which received bytes and the user's “Check now” are noticed. */
const stepMs = 1000;

export interface HangingDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Checks whether the object at the key proves that the Complete request succeeded. Must not throw, because a failed check does
   * not end the wait. `silentMs` is the time since the last byte of the response.
   */
  readonly checkKey: (silentMs: number) => Promise<boolean>;
  /** Returns true once after each “Check now” of the user. */
  readonly takeCheckRequest: () => boolean;
  /** Called with true after a minute without a byte of the response, and with false when a byte arrives. */
  readonly onSilence: (isSilent: boolean) => void;
}

/**
 * Sends a Complete request. As long as no byte of the response arrives, checks the key after a minute and then at growing
 * intervals. Returns null if the key proved success first; the request is then dropped. Throws AppError('timeout') with an
 * unknown outcome if the response takes too long.
 */
export async function completeWatched<T>(
  send: (signal: AbortSignal, onSignOfLife: () => void) => Promise<T>,
  deps: HangingDeps,
): Promise<T | null> {
  const { clock } = deps;
  const ended = new AbortController();
  const signal = AbortSignal.any([deps.signal, ended.signal]);
  const watch = new SilenceWatch(clock.monotonicMs());
  const answered = send(signal, () => {
    watch.noteByte(clock.monotonicMs());
    deps.onSilence(false);
  });
  try {
    return await Promise.race([answered, provedBeside(watch, deps, signal)]);
  } finally {
    ended.abort();
    // Nothing awaits the dropped request, which rejects once it is aborted.
    answered.catch(() => undefined);
  }
}

/** Decides when the key is checked while a Complete request has no response. */
export class SilenceWatch {
  readonly #sentMs: number;
  #lastByteMs: number;
  #lastCheckMs: number;
  #dueMs: number;
  #checkCount = 0;

  constructor(nowMs: number) {
    this.#sentMs = nowMs;
    this.#lastByteMs = nowMs;
    this.#lastCheckMs = nowMs;
    this.#dueMs = nowMs + silenceMs;
  }

  /**
   * Records a received byte and postpones the next check. The delay is limited, because a proxy may send white space long after
   * the service has finished.
   */
  noteByte(nowMs: number): void {
    this.#lastByteMs = nowMs;
    this.#checkCount = 0;
    this.#dueMs = Math.min(nowMs + silenceMs, this.#lastCheckMs + maxCheckIntervalMs);
  }

  isDue(nowMs: number): boolean {
    return nowMs >= this.#dueMs || this.isOver(nowMs);
  }

  noteCheck(nowMs: number): void {
    this.#lastCheckMs = nowMs;
    this.#checkCount += 1;
    this.#dueMs = nowMs + waitMs(retryPolicies.silentComplete, this.#checkCount);
  }

  silentMs(nowMs: number): number {
    return nowMs - this.#lastByteMs;
  }

  /** Returns true if the response, or its next byte, has taken too long. */
  isOver(nowMs: number): boolean {
    return nowMs - this.#lastByteMs >= maxSilenceMs || nowMs - this.#sentMs >= maxCompleteMs;
  }
}

async function provedBeside(watch: SilenceWatch, deps: HangingDeps, signal: AbortSignal): Promise<null> {
  const { clock } = deps;
  for (;;) {
    try {
      await clock.sleep(stepMs, signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      // The request has settled and won the race, so this promise must never settle.
      return await new Promise<never>(() => undefined);
    }
    const nowMs = clock.monotonicMs();
    const isDue = watch.isDue(nowMs);
    if (watch.silentMs(nowMs) >= silenceMs) deps.onSilence(true);
    if (!deps.takeCheckRequest() && !isDue) continue;
    if (await deps.checkKey(watch.silentMs(clock.monotonicMs()))) return null;
    if (watch.isOver(nowMs)) throw completeAbandoned();
    watch.noteCheck(clock.monotonicMs());
  }
}

/**
 * Returns the error for an aborted request. The service may have applied it, so its outcome must be checked before another one is
 * sent.
 */
function completeAbandoned(): Error {
  return failure('timeout', 'The service did not answer CompleteMultipartUpload; the request was aborted.', {
    reason: 'first-byte-timeout',
    retry: 'backoff',
    outcome: 'unknown',
  });
}
