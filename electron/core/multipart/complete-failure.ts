import type { AppError } from '../../../shared/errors.ts';
import { conditionRefusalOf } from '../s3/conditions/conditional.ts';
import type { Completion } from './upload-job.ts';
import { refusals, type Sent } from './outcome/outcome.ts';

/** The ways in which a Complete request can fail. */
export type CompleteFailure =
  /** The service reported a failure. The request may be sent again if the upload still exists. */
  | 'said-failed'
  /**
   * The connection broke, the request timed out, or a gateway or an unreadable response answered. The service may still process
   * the request.
   */
  | 'broken'
  /** The request never reached the service. */
  | 'not-sent'
  | 'gone'
  /** 412: the object at the key does not match the condition. */
  | 'taken'
  /** The service does not support the condition, or its error may mean that. */
  | 'condition'
  /** The service does not take the checksum of all bytes. */
  | 'checksum'
  /** The content does not match its checksum: that of the parts, or of this request. */
  | 'damaged'
  | 'rejected'
  | 'keys'
  | 'denied'
  | 'refused';

/** Classifies the failure. Also returns the new state of the completion; null if certainly no Complete request was applied. */
export function afterCompleteFailed(
  before: Completion,
  error: AppError,
  nowMs: number,
): { readonly verdict: CompleteFailure; readonly completion: Completion | null } {
  const verdict = checksumVerdict(before, error) ?? conditionVerdict(before, error) ?? verdictOn(error);
  const isOutcomeUnknown = error.outcome === 'unknown';
  const isDisproved = verdict === 'said-failed' || verdict === 'gone' || verdict === 'rejected';
  const doubtAtMs =
    verdict === 'broken' || (isOutcomeUnknown && !isDisproved) ? nowMs : before.sent.doubtAtMs;
  const refusal = refusals.find((name) => name === verdict) ?? null;
  const goneResponses = before.sent.goneAnswers + (verdict === 'gone' ? 1 : 0);
  const sent: Sent = { ...before.sent, doubtAtMs, refusal, goneAnswers: goneResponses };
  const nextCompletion: Completion = { ...before, inFlight: false, sent };
  switch (verdict) {
    case 'said-failed':
    case 'broken':
    case 'gone':
    case 'taken':
    case 'condition':
    case 'checksum':
    case 'damaged':
      return { verdict, completion: nextCompletion };
    case 'rejected':
      // The service knows the upload and rejected its parts, so no Complete request has been applied.
      return { verdict, completion: null };
    case 'not-sent':
    case 'keys':
    case 'denied':
    case 'refused':
      // The last request was not applied, but an earlier one may have been.
      return { verdict, completion: before.attempts > 1 || isOutcomeUnknown ? nextCompletion : null };
    default:
      return verdict satisfies never;
  }
}

/**
 * Returns what the error says about the checksum of the Complete request or of its parts; null if it says nothing about them. The
 * same request would be refused again: only other parts, or a request without the checksum, can succeed.
 */
function checksumVerdict({ intent }: Completion, error: AppError): 'checksum' | 'damaged' | null {
  const { s3 } = error;
  if (s3 === undefined || error.outcome === 'unknown') return null;
  if (error.reason === 'content-damaged') return 'damaged';
  const isRefusal = (s3.status >= 400 && s3.status < 500) || s3.status === 501;
  const namesChecksum = /checksum|crc/i.test(`${s3.code ?? ''} ${s3.message ?? ''}`);
  return intent.sendsChecksums && isRefusal && namesChecksum ? 'checksum' : null;
}

/** Returns what the error says about the condition of the Complete request; null if the error is ambiguous. */
function conditionVerdict({ intent }: Completion, error: AppError): 'taken' | 'condition' | null {
  if (intent.condition === 'none' || error.outcome === 'unknown') return null;
  const refusal = conditionRefusalOf(error);
  return refusal === null ? null : refusedConditions[refusal];
}

const refusedConditions = { 'does-not-hold': 'taken', 'not-known': 'condition' } as const;

function verdictOn(error: AppError): CompleteFailure {
  const status = error.s3?.status ?? null;
  const hasCode = (error.s3?.code ?? null) !== null;
  switch (error.code) {
    case 'upload-gone':
      return 'gone';
    case 'parts-rejected':
      return 'rejected';
    case 'auth-expired':
      return 'keys';
    case 'access-denied':
      return 'denied';
    case 'network':
    case 'timeout':
    case 'damaged':
    case 'disconnected':
    case 'rate-limited':
    case 'server':
    case 'protocol':
    case 'conflict':
    case 'cancelled':
    case 'internal':
    case 'storage':
      break;
    case 'not-found':
      // Ceph returns NoSuchKey for an unknown upload. If the bucket is missing instead, the upload is not known to be gone.
      return error.reason === 'no-such-bucket' || error.reason === 'connection-missing' ? 'refused' : 'gone';
    case 'clock-skew':
      return 'not-sent';
    case 'invalid-argument':
    case 'unsupported':
      return error.outcome === 'unknown' ? 'broken' : 'refused';
    default:
      return error.code satisfies never;
  }
  // A gateway's error says nothing about the service behind the gateway (ceph#16732).
  if (status === 502 || status === 504) return 'broken';
  if (hasCode && (error.retry === 'backoff' || (status ?? 0) >= 500)) return 'said-failed';
  if (error.outcome === 'unknown' || (status !== null && status >= 500)) return 'broken';
  if (error.retry === 'backoff') return 'not-sent';
  return 'refused';
}
