import { backoffMs, retryPolicies, type Waits } from '../../flow/retry-policies.ts';
import { AppFailure, failure, type AppError } from '../../../../shared/errors.ts';
import type { Clock, Random } from '../../ports.ts';
import type { RequestOptions } from '../model/request-types.ts';

/** The limits for retrying one request. */
export interface RetryPolicy extends Waits {
  readonly maxTries: number;
  /** The time in which the last attempt must start, counted from the first one. */
  readonly budgetMs: number;
  /** The longest Retry-After in ms for which a request waits. After a longer one it fails, and the caller shows the wait. */
  readonly patienceMs: number;
}

/** Returns the limits for a request: the defaults, changed by those of the client and of the call. */
export function policyFor(
  ofClient: Partial<RetryPolicy> | undefined,
  { maxTries, patienceMs }: Pick<RequestOptions, 'maxTries' | 'patienceMs'> = {},
): RetryPolicy {
  const policy = { ...retryPolicies.request, ...ofClient };
  return {
    ...policy,
    maxTries: Math.max(1, maxTries ?? policy.maxTries),
    patienceMs: patienceMs ?? policy.patienceMs,
  };
}

/**
 * When a request may be retried: `always` for reads and idempotent writes, `unless-applied` for writes that must not happen
 * twice, and `never` for CompleteMultipartUpload.
 */
export type Repeatable = 'always' | 'unless-applied' | 'never';

export interface RetryQuestion {
  readonly error: AppError;
  readonly repeatable: Repeatable;
  /** The number of attempts so far, including the failed one. */
  readonly triesMade: number;
  readonly elapsedMs: number;
  readonly policy: RetryPolicy;
  /** A random number, at least 0 and less than 1. */
  readonly fraction: number;
}

export type RetryDecision =
  { readonly kind: 'give-up' } | { readonly kind: 'wait'; readonly delayMs: number };

/** Decides whether a request is sent again, and after which delay. */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const { error, policy, triesMade } = question;
  const giveUp = { kind: 'give-up' } as const;
  if (error.retry !== 'backoff' || question.repeatable === 'never') return giveUp;
  if (question.repeatable === 'unless-applied' && error.outcome === 'unknown') return giveUp;
  if (triesMade >= policy.maxTries || (error.retryAfterMs ?? 0) > policy.patienceMs) return giveUp;
  const delayMs = backoffMs(policy, triesMade, question.fraction, error.retryAfterMs);
  if (question.elapsedMs + delayMs > policy.budgetMs) return giveUp;
  return { kind: 'wait', delayMs };
}

const maxRetryAfterMs = 60 * 60_000;

/** Parses a Retry-After header, in seconds or as a date, to milliseconds, at most one hour. Returns null if it is invalid. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(maxRetryAfterMs, Math.ceil(Number(text) * 1000));
  const atMs = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) return null;
  return Math.min(maxRetryAfterMs, Math.max(0, atMs - nowMs));
}

export interface RetryRun {
  readonly policy: RetryPolicy;
  readonly repeatable: Repeatable;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly onRetry: (error: AppError, delayMs: number, triesMade: number) => void;
}

/**
 * Calls `attempt` until it succeeds, a limit is reached, or the signal aborts. Throws the last error, with an unknown outcome if
 * any attempt may have been applied.
 */
export async function runWithRetries<T>(
  run: RetryRun,
  attempt: (tryNumber: number) => Promise<T>,
): Promise<T> {
  const startedMs = run.clock.monotonicMs();
  let doubt = false;
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      return await attempt(tryNumber);
    } catch (thrown) {
      if (!(thrown instanceof AppFailure)) throw thrown;
      const decision = decideRetry({
        error: thrown.error,
        repeatable: run.repeatable,
        triesMade: tryNumber,
        elapsedMs: run.clock.monotonicMs() - startedMs,
        policy: run.policy,
        fraction: run.random.fraction(),
      });
      doubt ||= thrown.error.outcome === 'unknown';
      if (decision.kind === 'give-up') throw doubt ? withDoubt(thrown) : thrown;
      run.onRetry(thrown.error, decision.delayMs, tryNumber);
      await waitOrCancel(run, decision.delayMs, doubt);
    }
  }
}

async function waitOrCancel(run: RetryRun, delayMs: number, doubt: boolean): Promise<void> {
  const outcome = doubt ? 'unknown' : 'not-applied';
  try {
    await run.clock.sleep(delayMs, run.signal);
  } catch (cause) {
    if (!run.signal.aborted) throw cause;
  }
  if (run.signal.aborted) throw failure('cancelled', 'The request was cancelled.', { outcome });
}

/** Returns the error with an unknown outcome, because an earlier attempt of a write may have been applied. */
function withDoubt(thrown: AppFailure): AppFailure {
  if (thrown.error.outcome === 'unknown') return thrown;
  return new AppFailure({ ...thrown.error, outcome: 'unknown' }, { cause: thrown });
}
