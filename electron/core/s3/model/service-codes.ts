import type { AppError, ErrorCode } from '../../../../shared/errors.ts';
import type { ErrorReason } from '../../../../shared/error-reasons.ts';

/** The effect of a request. After a lost response, the outcome of a `write` is unknown. */
export type Effect = 'read' | 'write';

/**
 * The resource that a request is about. For an `upload`, a 404 with any code means that the upload no longer exists (Ceph sends
 * NoSuchKey).
 */
export type Subject = 'service' | 'bucket' | 'object' | 'upload';

/** The meaning of an error code or status of the service. */
export interface CodeMeaning {
  readonly code: ErrorCode;
  readonly reason: ErrorReason;
  readonly retry?: AppError['retry'];
  /** True if a write may have been applied although the service reported this error. */
  readonly doubtful?: boolean;
}

const backoff = { retry: 'backoff' } as const;
const fix = { retry: 'after-fix' } as const;

const slowDown: CodeMeaning = { code: 'rate-limited', reason: 'slow-down', ...backoff };
export const denied: CodeMeaning = { code: 'access-denied', reason: 'denied', ...fix };
const expired: CodeMeaning = { code: 'auth-expired', reason: 'token-expired', ...fix };
const wrongRegion: CodeMeaning = { code: 'invalid-argument', reason: 'region-mismatch', ...fix };
/** Alibaba OSS, Tencent COS and Volcengine TOS accept only requests with the bucket in the host name. */
const virtualHostWanted: CodeMeaning = { code: 'invalid-argument', reason: 'virtual-host-wanted', ...fix };
export const damagedContent: CodeMeaning = { code: 'damaged', reason: 'content-damaged', ...backoff };
const internalError: CodeMeaning = { code: 'server', reason: 'internal-error', doubtful: true, ...backoff };

// Codes of https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html and of Ceph, MinIO, R2, B2 and GCS.
export const byServiceCode: Readonly<Record<string, CodeMeaning>> = {
  AccessDenied: denied,
  AccountProblem: { code: 'access-denied', reason: 'account-problem', ...fix },
  AllAccessDisabled: { code: 'access-denied', reason: 'account-problem', ...fix },
  NotSignedUp: { code: 'access-denied', reason: 'account-problem', ...fix },
  UserSuspended: { code: 'access-denied', reason: 'account-problem', ...fix },
  UserDisable: { code: 'access-denied', reason: 'account-problem', ...fix },
  AccountSuspended: { code: 'access-denied', reason: 'account-problem', ...fix },
  SecondLevelDomainForbidden: virtualHostWanted,
  PathStyleDomainForbidden: virtualHostWanted,
  InvalidPathAccess: virtualHostWanted,
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
  AccessControlListNotSupported: { code: 'unsupported', reason: 'not-implemented' },
  XNotImplemented: { code: 'unsupported', reason: 'not-implemented' },
  SlowDown: slowDown,
  Throttling: slowDown,
  ThrottlingException: slowDown,
  RequestLimitExceeded: slowDown,
  TooManyRequests: slowDown,
  TooManyRequestsException: slowDown,
  BandwidthLimitExceeded: slowDown,
  RequestThrottled: slowDown,
  RequestTimeout: { code: 'timeout', reason: 'inactivity', ...backoff },
  ServiceUnavailable: { code: 'server', reason: 'unavailable', ...backoff },
  InternalError: internalError,
  InternalServiceException: internalError,
  QuotaExceeded: { code: 'server', reason: 'quota-exceeded', ...fix },
  InsufficientStorage: { code: 'server', reason: 'quota-exceeded', ...fix },
  XMinioStorageFull: { code: 'server', reason: 'quota-exceeded', ...fix },
  BadDigest: damagedContent,
  // Cooper only sends well-formed digests. Alibaba OSS names one that differs like this (its help page on InvalidDigest).
  InvalidDigest: damagedContent,
  IncompleteBody: { code: 'network', reason: 'reset', ...backoff },
  XAmzContentSHA256Mismatch: damagedContent,
  XAmzContentChecksumMismatch: damagedContent,
};

/** Returns true if the meaning of the code is known. */
export function isKnownServiceCode(code: string): boolean {
  return Object.hasOwn(byServiceCode, code);
}

/** The statuses of responses from web servers that are not storage services. */
export const notS3: ReadonlySet<number> = new Set([400, 404, 405, 410, 501]);

/** Returns the meaning of a response without a known code, by its status. */
export function byStatus(status: number, about: Subject): CodeMeaning {
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
