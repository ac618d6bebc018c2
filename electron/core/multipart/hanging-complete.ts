import { failure } from '../../../shared/errors.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import type { Clock } from '../ports.ts';

/** Time without a byte of the response after which the key is checked while the Complete request is in flight. */
export const silenceMs = retryPolicies.silentComplete.baseMs;
/** Longest interval between two checks. */
export const rarestLookMs = retryPolicies.silentComplete.maxMs;
/**
 * Time without a byte of the response after which a Complete request is given up. No service needs longer, and the
 * connection may be dead without an error.
 */
export const maxSilenceMs = 20 * 60_000;
/** Maximum duration of one request, whatever it sends meanwhile. */
export const longestMs = 60 * 60_000;
/** Interval at which received bytes and "Look now" are noticed. */
const stepMs = 1000;

export interface HangingDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Checks if the object at the key proves the Complete request, given the time without a response. A failed check must not
   * end the wait.
   */
  readonly look: (silentMs: number) => Promise<boolean>;
  /** Returns true once after each "Look now". */
  readonly isLookWanted: () => boolean;
  /** Called after the first minute without a byte of the response, and when bytes arrive after all. */
  readonly onSilence: (isSilent: boolean) => void;
}

/**
 * Sends a Complete request. While no byte arrives, not even white space, checks the key after a minute and then at growing
 * intervals. Returns null if the key proved the object first; the request is then dropped. Throws AppError('timeout') with
 * an unknown outcome when the request is given up.
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
    watch.heard(clock.monotonicMs());
    deps.onSilence(false);
  });
  try {
    return await Promise.race([answered, provedBeside(watch, deps, signal)]);
  } finally {
    ended.abort();
    // The dropped request rejects with the abort, which nothing awaits.
    answered.catch(() => undefined);
  }
}

/** Decides when the next check is due. */
export class SilenceWatch {
  readonly #sentMs: number;
  #heardMs: number;
  #lookedMs: number;
  #dueMs: number;
  #looks = 0;

  constructor(nowMs: number) {
    this.#sentMs = nowMs;
    this.#heardMs = nowMs;
    this.#lookedMs = nowMs;
    this.#dueMs = nowMs + silenceMs;
  }

  /** Postpones the check, up to a limit: a proxy may send white space long after the service has ended. */
  heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#looks = 0;
    this.#dueMs = Math.min(nowMs + silenceMs, this.#lookedMs + rarestLookMs);
  }

  isDue(nowMs: number): boolean {
    return nowMs >= this.#dueMs || this.isOver(nowMs);
  }

  looked(nowMs: number): void {
    this.#lookedMs = nowMs;
    this.#looks += 1;
    this.#dueMs = nowMs + waitMs(retryPolicies.silentComplete, this.#looks);
  }

  silentMs(nowMs: number): number {
    return nowMs - this.#heardMs;
  }

  /** Returns true once the response or its next byte has taken too long. */
  isOver(nowMs: number): boolean {
    return nowMs - this.#heardMs >= maxSilenceMs || nowMs - this.#sentMs >= longestMs;
  }
}

async function provedBeside(watch: SilenceWatch, deps: HangingDeps, signal: AbortSignal): Promise<null> {
  const { clock } = deps;
  for (;;) {
    try {
      await clock.sleep(stepMs, signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      // The race is decided: its other promise has settled.
      return await new Promise<never>(() => undefined);
    }
    const nowMs = clock.monotonicMs();
    const isDue = watch.isDue(nowMs);
    if (watch.silentMs(nowMs) >= silenceMs) deps.onSilence(true);
    if (!deps.isLookWanted() && !isDue) continue;
    if (await deps.look(watch.silentMs(clock.monotonicMs()))) return null;
    if (watch.isOver(nowMs)) throw givenUp();
    watch.looked(clock.monotonicMs());
  }
}

/** Returns the failure of a dropped request. It may have been applied, so a check follows, not a second Complete request. */
function givenUp(): Error {
  return failure('timeout', 'The service has not answered the Complete, and the request was dropped.', {
    reason: 'first-byte-timeout',
    retry: 'backoff',
    outcome: 'unknown',
  });
}
