import { AppFailure, failure, type AppError, type ErrorCode, type S3Error } from '../../../shared/errors.ts';
import { networkReasonOf, type NetworkReason } from './network-errors.ts';

/** The finer reasons in AppError.reason, by which the window chooses its sentence. */
export type S3Reason =
  | NetworkReason
  // access-denied
  | 'denied'
  | 'key-unknown'
  | 'secret-wrong'
  | 'token-invalid'
  | 'account-problem'
  | 'anonymous-refused'
  // auth-expired, clock-skew
  | 'token-expired'
  | 'clock-skew'
  // not-found, upload-gone
  | 'no-such-bucket'
  | 'no-such-key'
  | 'no-such-upload'
  // conflict
  | 'bucket-exists'
  | 'bucket-not-empty'
  | 'precondition-failed'
  | 'busy'
  | 'object-archived'
  // parts-rejected
  | 'invalid-part'
  | 'invalid-part-order'
  | 'part-too-small'
  | 'checksum-missing'
  // invalid-argument, unsupported
  | 'region-mismatch'
  | 'bucket-name'
  | 'key-too-long'
  | 'invalid-range'
  | 'too-large'
  | 'storage-class'
  | 'malformed-xml'
  | 'not-unicode'
  | 'header-invalid'
  | 'not-xml'
  | 'refused'
  | 'not-implemented'
  // rate-limited, server
  | 'slow-down'
  | 'unavailable'
  | 'gateway-timeout'
  | 'internal-error'
  | 'quota-exceeded'
  | 'content-damaged'
  // protocol
  | 'unexpected-answer'
  | 'html'
  | 'cut-short'
  | 'too-big'
  | 'xml-forbidden'
  | 'bad-encoding'
  | 'listing-stuck'
  | 'redirect-refused'
  | 'range-ignored'
  // the client's own settings and files
  | 'endpoint-invalid'
  | 'proxy-invalid'
  | 'ca-unreadable'
  | 'body-changed'
  | 'body-unreadable';

/** Whether the request could have changed something, and so whether a lost answer leaves a doubt. */
export type Effect = 'read' | 'write';

/** What a request named: a 404 about an upload id means that the upload is gone, whatever its code (Ceph: NoSuchKey). */
export type Subject = 'service' | 'bucket' | 'object' | 'upload';

export interface AnswerFailure {
  readonly status: number;
  /** The service's code; null where the answer had no XML. */
  readonly code: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly effect: Effect;
  readonly about: Subject;
  readonly anonymous: boolean;
  /** How a body that is no XML begins. */
  readonly foreignText: string | null;
}

interface Verdict {
  readonly code: ErrorCode;
  readonly reason: S3Reason;
  readonly retry?: AppError['retry'];
  /** A write may have been done although this came back. */
  readonly doubtful?: boolean;
}

const backoff = { retry: 'backoff' } as const;
const fix = { retry: 'after-fix' } as const;

const slowDown: Verdict = { code: 'rate-limited', reason: 'slow-down', ...backoff };
const denied: Verdict = { code: 'access-denied', reason: 'denied', ...fix };
const expired: Verdict = { code: 'auth-expired', reason: 'token-expired', ...fix };
const wrongRegion: Verdict = { code: 'invalid-argument', reason: 'region-mismatch', ...fix };
const internalError: Verdict = { code: 'server', reason: 'internal-error', doubtful: true, ...backoff };

// Codes of https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html and of Ceph, MinIO, R2, B2 and GCS.
const byServiceCode: Readonly<Record<string, Verdict>> = {
  AccessDenied: denied,
  AccountProblem: { code: 'access-denied', reason: 'account-problem', ...fix },
  AllAccessDisabled: { code: 'access-denied', reason: 'account-problem', ...fix },
  NotSignedUp: { code: 'access-denied', reason: 'account-problem', ...fix },
  UserSuspended: { code: 'access-denied', reason: 'account-problem', ...fix },
  InvalidAccessKeyId: { code: 'access-denied', reason: 'key-unknown', ...fix },
  SignatureDoesNotMatch: { code: 'access-denied', reason: 'secret-wrong', ...fix },
  InvalidToken: { code: 'access-denied', reason: 'token-invalid', ...fix },
  InvalidSecurity: { code: 'access-denied', reason: 'token-invalid', ...fix },
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  TokenRefreshRequired: expired,
  RequestTimeTooSkewed: { code: 'clock-skew', reason: 'clock-skew', ...fix },
  RequestExpired: { code: 'clock-skew', reason: 'clock-skew', ...fix },
  NoSuchBucket: { code: 'not-found', reason: 'no-such-bucket', ...fix },
  NoSuchKey: { code: 'not-found', reason: 'no-such-key' },
  NoSuchVersion: { code: 'not-found', reason: 'no-such-key' },
  NoSuchUpload: { code: 'upload-gone', reason: 'no-such-upload' },
  InvalidPart: { code: 'parts-rejected', reason: 'invalid-part', ...fix },
  InvalidPartOrder: { code: 'parts-rejected', reason: 'invalid-part-order', ...fix },
  EntityTooSmall: { code: 'parts-rejected', reason: 'part-too-small', ...fix },
  BucketAlreadyExists: { code: 'conflict', reason: 'bucket-exists', ...fix },
  BucketAlreadyOwnedByYou: { code: 'conflict', reason: 'bucket-exists', ...fix },
  BucketNotEmpty: { code: 'conflict', reason: 'bucket-not-empty', ...fix },
  PreconditionFailed: { code: 'conflict', reason: 'precondition-failed', ...fix },
  ConditionalRequestConflict: { code: 'conflict', reason: 'busy', ...backoff },
  OperationAborted: { code: 'conflict', reason: 'busy', ...backoff },
  InvalidObjectState: { code: 'conflict', reason: 'object-archived', ...fix },
  AuthorizationHeaderMalformed: wrongRegion,
  AuthorizationQueryParametersError: wrongRegion,
  IllegalLocationConstraintException: wrongRegion,
  InvalidLocationConstraint: wrongRegion,
  InvalidRegion: wrongRegion,
  PermanentRedirect: wrongRegion,
  TemporaryRedirect: wrongRegion,
  InvalidBucketName: { code: 'invalid-argument', reason: 'bucket-name', ...fix },
  KeyTooLongError: { code: 'invalid-argument', reason: 'key-too-long', ...fix },
  InvalidRange: { code: 'invalid-argument', reason: 'invalid-range', ...fix },
  EntityTooLarge: { code: 'invalid-argument', reason: 'too-large', ...fix },
  InvalidStorageClass: { code: 'invalid-argument', reason: 'storage-class', ...fix },
  MalformedXML: { code: 'invalid-argument', reason: 'malformed-xml', ...fix },
  NotImplemented: { code: 'unsupported', reason: 'not-implemented' },
  MethodNotAllowed: { code: 'unsupported', reason: 'not-implemented' },
  XNotImplemented: { code: 'unsupported', reason: 'not-implemented' },
  SlowDown: slowDown,
  Throttling: slowDown,
  ThrottlingException: slowDown,
  RequestLimitExceeded: slowDown,
  TooManyRequests: slowDown,
  BandwidthLimitExceeded: slowDown,
  RequestThrottled: slowDown,
  RequestTimeout: { code: 'timeout', reason: 'inactivity', ...backoff },
  ServiceUnavailable: { code: 'server', reason: 'unavailable', ...backoff },
  InternalError: internalError,
  QuotaExceeded: { code: 'server', reason: 'quota-exceeded', ...fix },
  InsufficientStorage: { code: 'server', reason: 'quota-exceeded', ...fix },
  XMinioStorageFull: { code: 'server', reason: 'quota-exceeded', ...fix },
  BadDigest: { code: 'network', reason: 'content-damaged', ...backoff },
  IncompleteBody: { code: 'network', reason: 'reset', ...backoff },
  XAmzContentSHA256Mismatch: { code: 'network', reason: 'content-damaged', ...backoff },
  XAmzContentChecksumMismatch: { code: 'network', reason: 'content-damaged', ...backoff },
};

const notS3: ReadonlySet<number> = new Set([400, 404, 405, 410, 501]);

function byStatus(status: number, about: Subject): Verdict {
  if (status === 401 || status === 403) return denied;
  if (status === 404) {
    return about === 'bucket'
      ? { code: 'not-found', reason: 'no-such-bucket', ...fix }
      : { code: 'not-found', reason: 'no-such-key' };
  }
  if (status === 405 || status === 501) return { code: 'unsupported', reason: 'not-implemented' };
  if (status === 407) return { code: 'network', reason: 'proxy-auth', ...fix };
  if (status === 408) return { code: 'timeout', reason: 'inactivity', ...backoff };
  if (status === 409) return { code: 'conflict', reason: 'busy', ...fix };
  if (status === 304 || status === 412) return { code: 'conflict', reason: 'precondition-failed', ...fix };
  if (status === 413) return { code: 'invalid-argument', reason: 'too-large', ...fix };
  if (status === 416) return { code: 'invalid-argument', reason: 'invalid-range', ...fix };
  if (status === 429) return slowDown;
  if (status === 503) return { code: 'server', reason: 'unavailable', ...backoff };
  if (status === 504) return { code: 'server', reason: 'gateway-timeout', doubtful: true, ...backoff };
  if (status === 507) return { code: 'server', reason: 'quota-exceeded', ...fix };
  if (status >= 500) return internalError;
  if (status >= 300 && status < 400) return { code: 'protocol', reason: 'redirect-refused', ...fix };
  return { code: 'invalid-argument', reason: 'refused', ...fix };
}

function verdictOn(answer: AnswerFailure): Verdict {
  const { status, code } = answer;
  const foreign = answer.foreignText !== null;
  if (answer.about === 'upload' && status === 404 && code !== 'NoSuchBucket' && !foreign)
    return { code: 'upload-gone', reason: 'no-such-upload' };
  // A web server that is no storage service says 404 too; its page must not pass for an absent bucket.
  if (code === null && notS3.has(status) && (foreign || answer.about === 'service'))
    return { code: 'protocol', reason: 'unexpected-answer', ...fix };
  if (code === 'InvalidRequest' && /checksum/i.test(answer.message ?? ''))
    return { code: 'parts-rejected', reason: 'checksum-missing', ...fix };
  if (code === 'AuthorizationHeaderMalformed' && !/region|location/i.test(answer.message ?? 'region'))
    return { code: 'access-denied', reason: 'key-unknown', ...fix };
  const known = code === null ? undefined : byServiceCode[code];
  const verdict = known ?? byStatus(status, answer.about);
  if (verdict.reason === 'denied' && answer.anonymous) return { ...denied, reason: 'anonymous-refused' };
  return verdict;
}

/** The one classification of an answer that says no, by status and by the service's own code. */
export function answerFailure(answer: AnswerFailure): AppFailure {
  const verdict = verdictOn(answer);
  // Any answer of a proxy or of a failing server to a write leaves open what was done; a refusal does not.
  const doubtful = (verdict.doubtful ?? false) || answer.status === 502;
  const s3: S3Error = {
    status: answer.status,
    code: answer.code,
    message: answer.message,
    requestId: answer.requestId,
  };
  return failure(verdict.code, textOf(answer), {
    retry: verdict.retry ?? 'never',
    outcome: doubtful && answer.effect === 'write' ? 'unknown' : 'not-applied',
    reason: verdict.reason,
    s3,
    ...(answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs }),
  });
}

function textOf(answer: AnswerFailure): string {
  const code = answer.code ?? 'no code';
  if (answer.foreignText !== null)
    return `The service answered ${answer.status} without an S3 error. The answer begins: ${answer.foreignText}`;
  return `The service answered ${answer.status} (${code})${answer.message ? `: ${answer.message}` : '.'}`;
}

export interface NetworkFailure {
  readonly thrown: unknown;
  readonly effect: Effect;
  /** The whole request may have reached the service: its outcome is not known. */
  readonly mayHaveArrived: boolean;
  /** The caller's signal, or the client's end, was the cause. */
  readonly aborted: boolean;
}

/** The one classification of what happened instead of an answer. */
export function networkFailure(lost: NetworkFailure): AppFailure {
  const { thrown, effect } = lost;
  const reason = networkReasonOf(thrown);
  const arrived = lost.mayHaveArrived && !neverConnected.has(reason);
  const outcome = arrived && effect === 'write' ? 'unknown' : 'not-applied';
  if (lost.aborted) return failure('cancelled', 'The request was cancelled.', { outcome });
  if (thrown instanceof AppFailure) {
    if (thrown.error.outcome === outcome || outcome === 'not-applied') return thrown;
    return new AppFailure({ ...thrown.error, outcome }, { cause: thrown });
  }
  const details = { outcome, cause: thrown, reason } as const;
  switch (reason) {
    case 'connect-timeout':
    case 'first-byte-timeout':
    case 'inactivity':
      return failure('timeout', networkText[reason], { ...details, ...backoff });
    case 'tls-untrusted':
    case 'tls-hostname':
    case 'tls-expired':
    case 'tls-protocol':
    case 'proxy-auth':
    case 'proxy-failed':
    case 'refused':
    case 'dns':
    case 'unreachable':
      return failure('network', networkText[reason], { ...details, retry: retryOf(reason) });
    case 'reset':
    case 'cut-short':
      return failure('network', networkText[reason], { ...details, ...backoff });
    case 'not-http':
      return failure('protocol', networkText[reason], { ...details, ...fix });
    case 'body-changed':
      return failure('storage', networkText[reason], { ...details, ...fix });
    case 'other':
      return failure('network', messageOf(thrown), { ...details, ...backoff });
    default:
      return reason satisfies never;
  }
}

const neverConnected: ReadonlySet<NetworkReason> = new Set([
  'dns',
  'refused',
  'unreachable',
  'connect-timeout',
  'tls-untrusted',
  'tls-hostname',
  'tls-expired',
  'tls-protocol',
  'proxy-auth',
  'proxy-failed',
]);

/** A service that restarts refuses for a while, and a laptop that wakes has no name server yet: both are worth a wait. */
function retryOf(reason: NetworkReason): AppError['retry'] {
  return reason === 'refused' || reason === 'dns' || reason === 'unreachable' ? 'backoff' : 'after-fix';
}

const networkText: Readonly<Record<Exclude<NetworkReason, 'other'>, string>> = {
  dns: 'The name of the service could not be resolved.',
  refused: 'The service refused the connection.',
  unreachable: 'The service cannot be reached from this network.',
  reset: 'The connection was broken before the answer was complete.',
  'cut-short': 'The answer ended before all of its promised bytes had come.',
  'tls-untrusted': 'The certificate of the service is not trusted on this computer.',
  'tls-hostname': 'The certificate of the service is for another name.',
  'tls-expired': 'The certificate of the service has expired or is not valid yet.',
  'tls-protocol': 'No encrypted connection could be made; the port may speak plain HTTP.',
  'connect-timeout': 'No connection was made in time.',
  'first-byte-timeout': 'The service did not begin to answer in time.',
  inactivity: 'The service fell silent in the middle of its answer.',
  'proxy-auth': 'The proxy wants a user name and a password.',
  'proxy-failed': 'The proxy did not make the connection.',
  'not-http': 'What answers at this address does not speak HTTP.',
  'body-changed': 'The data to send had another size than was promised; the file may have changed.',
};

function messageOf(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== ''
    ? `The request failed: ${thrown.message}`
    : 'The request failed.';
}

/** A 200 that is not what was asked for. */
export function protocolFailure(
  reason: S3Reason,
  message: string,
  options: {
    readonly retry?: AppError['retry'];
    readonly outcome?: AppError['outcome'];
    readonly s3?: S3Error;
  } = {},
): AppFailure {
  return failure('protocol', message, { reason, ...options });
}
