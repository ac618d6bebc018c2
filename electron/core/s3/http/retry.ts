import { backoffMs, retryPolicies, type Waits } from '../../flow/retry-policies.ts';
import { AppFailure, failure, type AppError } from '../../../../shared/errors.ts';
import type { Clock, Random } from '../../ports.ts';
import type { RequestOptions } from '../model/request-types.ts';

/** The retry budget of one request, in tries and in time. */
export interface RetryPolicy extends Waits {
  readonly maxTries: number;
  /** Time in which the last try must start, including earlier tries and delays. */
  readonly budgetMs: number;
  /** The longest Retry-After for which the request waits. The caller handles and shows longer ones. */
  readonly patienceMs: number;
}

/** Returns the policy of a request: the defaults, changed by the client's policy and then by the call's options. */
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
 * When a request may be retried automatically: `always` for reads and idempotent writes, `unless-applied` for a write that must
 * not happen twice, `never` for CompleteMultipartUpload.
 */
export type Repeatable = 'always' | 'unless-applied' | 'never';

export interface RetryQuestion {
  readonly error: AppError;
  readonly repeatable: Repeatable;
  /** Number of tries so far, including the failed one. */
  readonly triesMade: number;
  readonly elapsedMs: number;
  readonly policy: RetryPolicy;
  /** Uniform in [0, 1). */
  readonly fraction: number;
}

export type RetryDecision =
  { readonly kind: 'give-up' } | { readonly kind: 'wait'; readonly delayMs: number };

/** Decides whether and after which delay a request is sent again. */
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

/** Parses Retry-After, in seconds or as a date, to milliseconds. Capped at one hour; null if invalid. */
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
 * Runs tries until one succeeds, the budget is spent, or the signal aborts, which also ends a delay. Throws the last error,
 * marked with an unknown outcome if any try may have been applied.
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

/** Marks the outcome as unknown: an earlier try may have been applied, whatever the last response said. */
function withDoubt(thrown: AppFailure): AppFailure {
  if (thrown.error.outcome === 'unknown') return thrown;
  return new AppFailure({ ...thrown.error, outcome: 'unknown' }, { cause: thrown });
}
