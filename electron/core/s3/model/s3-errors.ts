import type { ErrorReason } from '../../../../shared/error-reasons.ts';
import {
  type Effect,
  type Subject,
  byServiceCode,
  byStatus,
  damagedContent,
  denied,
  notS3,
  type CodeMeaning,
} from './service-codes.ts';
import {
  AppFailure,
  failure,
  type AppError,
  type ErrorCode,
  type S3Error,
} from '../../../../shared/errors.ts';
import { maxPartsIn } from './part-limits.ts';
import { quotingFailure, type Quote } from './redact.ts';
import { networkReasonOf, networkText, type NetworkReason } from './network-errors.ts';

export interface FailedResponse {
  readonly status: number;
  /** The error code from the service; null if the response had no XML. */
  readonly code: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly effect: Effect;
  readonly about: Subject;
  readonly anonymous: boolean;
  /** The complete body if it is not XML; otherwise null. */
  readonly foreignText: string | null;
  /** The right region, if the response names it. */
  readonly region?: string | null;
  /** The maximum size, if the response names it. */
  readonly maxSizeBytes?: number | null;
}

function verdictOn(reply: FailedResponse): CodeMeaning {
  const { status, code } = reply;
  const foreign = reply.foreignText !== null;
  if (reply.about === 'upload' && status === 404 && code !== 'NoSuchBucket' && !foreign)
    return { code: 'upload-gone', reason: 'no-such-upload' };
  // A web server that is not a storage service also responds with 404. Its page must not be taken to mean that a bucket does not
  // exist.
  if (code === null && notS3.has(status) && (foreign || reply.about === 'service'))
    return { code: 'protocol', reason: 'unexpected-answer', retry: 'after-fix' };
  // OpenStack Swift responds with 412 "Bad URL" to unsigned requests, because it treats them as requests of the Swift API.
  if (reply.anonymous && status === 412 && foreign) return { ...denied, reason: 'anonymous-refused' };
  if (saysContentDiffers(reply)) return damagedContent;
  if (code === 'InvalidRequest' && /checksum/i.test(reply.message ?? ''))
    return { code: 'parts-rejected', reason: 'checksum-missing', retry: 'after-fix' };
  const isOfRegion =
    typeof reply.region === 'string' || /region|location|scope/i.test(reply.message ?? 'region');
  if (code === 'AuthorizationHeaderMalformed' && !isOfRegion)
    return { code: 'access-denied', reason: 'key-unknown', retry: 'after-fix' };
  if (status === 400 && reply.effect === 'write' && maxPartsIn(reply.message) !== null)
    return { code: 'invalid-argument', reason: 'too-many-parts', retry: 'after-fix' };
  if (reply.about === 'upload' && (status === 413 || code === 'EntityTooLarge'))
    return { code: 'invalid-argument', reason: 'part-too-large', retry: 'after-fix' };
  const known = code === null ? undefined : byServiceCode[code];
  // An <Error> with status 200 means that a running operation failed, so it counts like a 500.
  const verdict = known ?? unknownDenial(reply) ?? byStatus(status < 300 ? 500 : status, reply.about);
  if (verdict.reason === 'denied' && reply.anonymous) return { ...denied, reason: 'anonymous-refused' };
  return verdict;
}

/** Returns true for a general code whose message says that the content of a request did not match its checksum. */
function saysContentDiffers({ status, code, message, effect }: FailedResponse): boolean {
  const isGeneral = code === 'BadRequest' || code === 'InvalidRequest' || code === 'InvalidArgument';
  if (status !== 400 || effect !== 'write' || !isGeneral) return false;
  return /checksum|digest|crc|md5|sha-?256/i.test(message ?? '') && /match/i.test(message ?? '');
}

/** Classifies a 401 or 403 with an unknown code. It counts as about permission only if the code suggests that. */
function unknownDenial({ status, code }: FailedResponse): CodeMeaning | null {
  if ((status !== 401 && status !== 403) || code === null) return null;
  if (/^Forbidden$|Access(?:Denied|Forbidden)|Unauthori[sz]ed|Permission/i.test(code)) return denied;
  return { ...denied, reason: 'refused-by-service' };
}

/** Returns the error for a response with an error, by its status and the service's code. */
export function responseFailure(reply: FailedResponse): AppFailure {
  const verdict = verdictOn(reply);
  // After an error of a proxy or a failing server, the outcome of a write is unknown. A 503 without a code comes from a proxy;
  // Envoy sends it when its connection to the service breaks.
  const gateway = reply.status === 502 || (reply.status === 503 && reply.code === null);
  const doubtful = (verdict.doubtful ?? false) || gateway;
  const s3: S3Error = {
    status: reply.status,
    code: reply.code,
    message: reply.message,
    requestId: reply.requestId,
    ...(typeof reply.region === 'string' ? { region: reply.region } : {}),
    ...(typeof reply.maxSizeBytes === 'number' ? { maxSizeBytes: reply.maxSizeBytes } : {}),
  };
  return quotingFailure(verdict.code, (quote) => textOf(reply, quote), {
    retry: verdict.retry ?? 'never',
    outcome: doubtful && reply.effect === 'write' ? 'unknown' : 'not-applied',
    reason: verdict.reason,
    s3,
    ...(reply.retryAfterMs === null ? {} : { retryAfterMs: reply.retryAfterMs }),
  });
}

function textOf(reply: FailedResponse, quote: Quote): string {
  const code = reply.code ?? 'no code';
  if (reply.foreignText !== null)
    return `The service answered ${reply.status} without an S3 error. The response begins: ${quote(reply.foreignText)}`;
  return `The service answered ${reply.status} (${code})${reply.message ? `: ${reply.message}` : '.'}`;
}

export interface NetworkFailure {
  readonly thrown: unknown;
  readonly effect: Effect;
  /** True if the whole request may have reached the service, so that its outcome is unknown. */
  readonly mayHaveArrived: boolean;
  /** True if the caller's signal or closing the client aborted the request. */
  readonly aborted: boolean;
}

/** Returns the error for a request that got no response. */
export function networkFailure(lost: NetworkFailure): AppFailure {
  const { thrown, effect } = lost;
  const reason = networkReasonOf(thrown);
  const { code, retry, isUnsent } = networkMeanings[reason];
  const arrived = lost.mayHaveArrived && !isUnsent;
  const outcome = arrived && effect === 'write' ? 'unknown' : 'not-applied';
  if (lost.aborted) return failure('cancelled', 'The request was cancelled.', { outcome });
  if (thrown instanceof AppFailure) {
    if (thrown.error.outcome === outcome || outcome === 'not-applied') return thrown;
    return new AppFailure({ ...thrown.error, outcome }, { cause: thrown });
  }
  const text = reason === 'other' ? messageOf(thrown) : networkText[reason];
  return failure(code, text, { outcome, cause: thrown, reason, retry });
}

interface NetworkMeaning {
  readonly code: ErrorCode;
  readonly retry: AppError['retry'];
  /** True if there was no connection, so that the service cannot have received the request. */
  readonly isUnsent: boolean;
}

/** A failure that may pass: a restarting service refuses connections, and a laptop that just woke up has no name server. */
const unreached: NetworkMeaning = { code: 'network', retry: 'backoff', isUnsent: true };
const distrusted: NetworkMeaning = { code: 'network', retry: 'after-fix', isUnsent: true };
const broken: NetworkMeaning = { code: 'network', retry: 'backoff', isUnsent: false };
const late: NetworkMeaning = { code: 'timeout', retry: 'backoff', isUnsent: false };

const networkMeanings: Readonly<Record<NetworkReason, NetworkMeaning>> = {
  dns: unreached,
  'connection-refused': unreached,
  unreachable: unreached,
  reset: broken,
  'cut-short': broken,
  'tls-untrusted': distrusted,
  'tls-hostname': distrusted,
  'tls-expired': distrusted,
  'tls-protocol': distrusted,
  'connect-timeout': { ...late, isUnsent: true },
  'first-byte-timeout': late,
  inactivity: late,
  'proxy-auth': distrusted,
  'proxy-failed': distrusted,
  'not-http': { code: 'protocol', retry: 'after-fix', isUnsent: false },
  'body-changed': { code: 'storage', retry: 'after-fix', isUnsent: false },
  other: broken,
};

/** Returns a message with the error's code. The library's message appears only in the log, as the cause. */
function messageOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /^[A-Z][A-Z0-9_]*$/.test(code)
    ? `The connection failed for a reason that Cooper does not know (${code}).`
    : 'The connection failed for a reason that Cooper does not know.';
}

/** Returns the error for a successful response that does not contain what was requested. By default, a retry needs a fix first. */
export function protocolFailure(
  reason: ErrorReason,
  message: string | ((quote: Quote) => string),
  options: {
    readonly retry?: AppError['retry'];
    readonly outcome?: AppError['outcome'];
    readonly s3?: S3Error;
    readonly host?: string;
    readonly cause?: unknown;
  } = {},
): AppFailure {
  if (typeof message === 'string')
    return failure('protocol', message, { reason, retry: 'after-fix', ...options });
  return quotingFailure('protocol', message, { reason, retry: 'after-fix', ...options });
}
