import { assertNever } from '../../../shared/assert-never.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { JobReason } from '../../../shared/models/jobs.ts';
import { backoffMs, retryPolicies } from '../flow/retry-policies.ts';
import type { Moment } from './job.ts';

/** Reasons of errors that may come from a proxy or captive portal instead of the service, such as a sign-in page. */
const passingReasons: ReadonlySet<string | undefined> = new Set(['html', 'unexpected-answer', 'not-http']);

/** Returns how many times in a row an operation may be repeated after this error; 0 if the user must act first. */
export function maxRepeats(error: AppError): number {
  // A job waits without limit for the network to return.
  if (isNetworkAway(error)) return Number.POSITIVE_INFINITY;
  if (error.code === 'damaged' && error.retry === 'backoff') return retryPolicies.job.maxDamages;
  if (error.retry === 'backoff') return retryPolicies.job.maxFailures;
  // The response revealed the clock offset, so a retry can succeed.
  if (error.code === 'clock-skew') return retryPolicies.job.maxOddFailures;
  return error.code === 'protocol' && passingReasons.has(error.reason) ? retryPolicies.job.maxOddFailures : 0;
}

/** Returns true if the operation may be repeated once more after `repeatsMade` repeats. */
export function mayRepeat(error: AppError, repeatsMade: number): boolean {
  return repeatsMade < maxRepeats(error);
}

function isNetworkAway({ code, retry }: AppError): boolean {
  return retry === 'backoff' && (code === 'network' || code === 'timeout' || code === 'disconnected');
}

export type AfterFailure =
  | { readonly kind: 'repeat' }
  | {
      readonly kind: 'pause';
      readonly reason: Extract<
        JobReason,
        'needs-new-keys' | 'disk-full' | 'quota-full' | 'connection-missing'
      >;
    }
  | {
      readonly kind: 'attention';
      readonly reason: Extract<
        JobReason,
        'access-denied' | 'refused' | 'file-changed' | 'file-missing' | 'file-unreadable' | 'record-damaged'
      >;
    };

/** Decides how a job continues after its effect failed. `failures` is the number of consecutive failures. */
export function afterFailure(error: AppError, failures: number): AfterFailure {
  switch (error.code) {
    case 'auth-expired':
      return { kind: 'pause', reason: 'needs-new-keys' };
    case 'access-denied':
      return { kind: 'attention', reason: 'access-denied' };
    case 'storage':
      return error.reason === 'too-many-open-files' && mayRepeat(error, failures)
        ? { kind: 'repeat' }
        : afterStorageFailure(error.reason);
    case 'cancelled':
      // Only the request was aborted, not the job.
      return failures < retryPolicies.job.maxFailures
        ? { kind: 'repeat' }
        : { kind: 'attention', reason: 'refused' };
    case 'not-found':
      return error.reason === 'connection-missing'
        ? { kind: 'pause', reason: 'connection-missing' }
        : { kind: 'attention', reason: 'refused' };
    case 'clock-skew':
    case 'protocol':
    case 'network':
    case 'timeout':
    case 'rate-limited':
    case 'server':
    case 'conflict':
    case 'damaged':
    case 'disconnected':
    case 'invalid-argument':
    case 'unsupported':
    case 'parts-rejected':
    case 'upload-gone':
    case 'internal':
      return mayRepeat(error, failures) ? { kind: 'repeat' } : { kind: 'attention', reason: 'refused' };
    default:
      return assertNever(error.code);
  }
}

function afterStorageFailure(reason: string | undefined): AfterFailure {
  switch (reason) {
    case 'disk-full':
    case 'quota-full':
      return { kind: 'pause', reason };
    case 'file-changed':
    case 'body-changed':
      return { kind: 'attention', reason: 'file-changed' };
    case 'file-missing':
    case 'record-damaged':
      return { kind: 'attention', reason };
    default:
      return { kind: 'attention', reason: 'file-unreadable' };
  }
}

/** Schedules the next attempt after the backoff. */
export function repeatLater<Job extends { readonly failures: number }>(
  job: Job,
  error: AppError,
  moment: Moment,
): Job & { readonly state: 'retry-scheduled'; readonly error: AppError; readonly dueMs: number } {
  const failures = job.failures + 1;
  const dueMs = moment.nowMs + backoffMs(retryPolicies.job, failures, moment.fraction, error.retryAfterMs);
  return { ...job, state: 'retry-scheduled', failures, error, dueMs };
}
