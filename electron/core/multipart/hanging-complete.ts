import { failure } from '../../../shared/errors.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import type { Clock } from '../ports.ts';

/** So long nothing may come before the key is looked at beside a Complete. */
export const silenceMs = retryPolicies.silentComplete.baseMs;
/** The waits between two looks grow to this. */
export const rarestLookMs = retryPolicies.silentComplete.maxMs;
/** A Complete that is silent for so long is given up: no service needs longer, and a connection may have died unseen. */
export const mostSilenceMs = 20 * 60_000;
/** So long one request may take, whatever it sends meanwhile. */
export const longestMs = 60 * 60_000;
/** Signs of life and the user's "Look now" are noticed so soon. */
const stepMs = 1000;

export interface HangingDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether what is at the key proves the Complete, after so long a silence. Its failure ends nothing. */
  readonly look: (silentMs: number) => Promise<boolean>;
  /** True once after each "Look now". */
  readonly isLookWanted: () => boolean;
  /** Told when the first minute of silence is over, and when something came after all. */
  readonly onSilence: (isSilent: boolean) => void;
}

/**
 * Sends a Complete and, while nothing comes, looks at the key beside it: after a minute, then ever more seldom. White
 * space that arrives is a sign of life. Null: the key proved it first, and the request was dropped. Throws a timeout of
 * unknown outcome where the request is given up.
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
    // The dropped request ends with the abort, which nobody waits for.
    answered.catch(() => undefined);
  }
}

/** When the next look is due. */
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

  /** Puts the look off, but not for ever: a proxy may send white space long after the service has ended. */
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

  /** Nothing is to be expected of the request any more. */
  isOver(nowMs: number): boolean {
    return nowMs - this.#heardMs >= mostSilenceMs || nowMs - this.#sentMs >= longestMs;
  }
}

async function provedBeside(watch: SilenceWatch, deps: HangingDeps, signal: AbortSignal): Promise<null> {
  const { clock } = deps;
  for (;;) {
    try {
      await clock.sleep(stepMs, signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      // Whoever ended the wait has the answer.
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

/** The service may have done it all the same: what follows is a look, not a second Complete. */
function givenUp(): Error {
  return failure('timeout', 'The service has not answered the Complete, and the request was dropped.', {
    reason: 'first-byte-timeout',
    retry: 'backoff',
    outcome: 'unknown',
  });
}
