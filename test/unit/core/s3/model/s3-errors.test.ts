import { describe, expect, it } from 'vitest';
import {
  responseFailure,
  networkFailure,
  type FailedResponse,
} from '../../../../../electron/core/s3/model/s3-errors.ts';
import { networkReasonOf } from '../../../../../electron/core/s3/model/network-errors.ts';
import { failure } from '../../../../../shared/errors.ts';

const answer = (given: Partial<FailedResponse>) =>
  responseFailure({
    status: 400,
    code: null,
    message: null,
    requestId: 'R',
    retryAfterMs: null,
    effect: 'write',
    about: 'object',
    anonymous: false,
    foreignText: null,
    ...given,
  }).error;

describe('an error response', () => {
  it.each([
    [403, 'AccessDenied', 'access-denied', 'denied', 'after-fix', 'not-applied'],
    [403, 'UserDisable', 'access-denied', 'account-problem', 'after-fix', 'not-applied'],
    [403, 'AccountSuspended', 'access-denied', 'account-problem', 'after-fix', 'not-applied'],
    [
      403,
      'SecondLevelDomainForbidden',
      'invalid-argument',
      'virtual-host-wanted',
      'after-fix',
      'not-applied',
    ],
    [403, 'KMS.DisabledException', 'access-denied', 'refused-by-service', 'after-fix', 'not-applied'],
    [401, 'SomethingNew', 'access-denied', 'refused-by-service', 'after-fix', 'not-applied'],
    [403, 'UnauthorizedAccess', 'access-denied', 'denied', 'after-fix', 'not-applied'],
    [403, 'InvalidAccessKeyId', 'access-denied', 'key-unknown', 'after-fix', 'not-applied'],
    [403, 'SignatureDoesNotMatch', 'access-denied', 'secret-wrong', 'after-fix', 'not-applied'],
    [400, 'ExpiredToken', 'auth-expired', 'token-expired', 'after-fix', 'not-applied'],
    [403, 'RequestTimeTooSkewed', 'clock-skew', 'clock-skew', 'after-fix', 'not-applied'],
    [404, 'NoSuchBucket', 'not-found', 'no-such-bucket', 'after-fix', 'not-applied'],
    [404, 'NoSuchKey', 'not-found', 'no-such-key', 'never', 'not-applied'],
    [404, 'NoSuchUpload', 'upload-gone', 'no-such-upload', 'never', 'not-applied'],
    [400, 'InvalidPart', 'parts-rejected', 'invalid-part', 'after-fix', 'not-applied'],
    [400, 'InvalidPartOrder', 'parts-rejected', 'invalid-part-order', 'after-fix', 'not-applied'],
    [400, 'EntityTooSmall', 'parts-rejected', 'part-too-small', 'after-fix', 'not-applied'],
    [412, 'PreconditionFailed', 'conflict', 'precondition-failed', 'after-fix', 'not-applied'],
    [301, 'PermanentRedirect', 'invalid-argument', 'region-mismatch', 'after-fix', 'not-applied'],
    [501, 'NotImplemented', 'unsupported', 'not-implemented', 'never', 'not-applied'],
    [503, 'SlowDown', 'rate-limited', 'slow-down', 'backoff', 'not-applied'],
    [429, null, 'rate-limited', 'slow-down', 'backoff', 'not-applied'],
    [400, 'RequestTimeout', 'timeout', 'inactivity', 'backoff', 'not-applied'],
    [503, 'ServiceUnavailable', 'server', 'unavailable', 'backoff', 'not-applied'],
    [503, null, 'server', 'unavailable', 'backoff', 'unknown'],
    [200, 'SomethingNew', 'server', 'internal-error', 'backoff', 'unknown'],
    [200, null, 'server', 'internal-error', 'backoff', 'unknown'],
    [500, 'InternalError', 'server', 'internal-error', 'backoff', 'unknown'],
    [500, null, 'server', 'internal-error', 'backoff', 'unknown'],
    [502, null, 'server', 'internal-error', 'backoff', 'unknown'],
    [504, null, 'server', 'gateway-timeout', 'backoff', 'unknown'],
    [200, 'InternalError', 'server', 'internal-error', 'backoff', 'unknown'],
    [200, 'SlowDown', 'rate-limited', 'slow-down', 'backoff', 'not-applied'],
    [400, 'SomethingNew', 'invalid-argument', 'refused', 'after-fix', 'not-applied'],
  ] as const)('%d %s to a write maps to %s/%s, %s, %s', (status, code, kind, reason, retry, outcome) => {
    expect(answer({ status, code })).toMatchObject({
      code: kind,
      reason,
      retry,
      outcome,
      s3: { status, code, requestId: 'R' },
    });
  });

  it('to a read counts as not applied', () => {
    expect(answer({ status: 500, effect: 'read' }).outcome).toBe('not-applied');
  });

  it('of 404 about an upload means that the upload is gone, whatever its code (Ceph: NoSuchKey)', () => {
    expect(answer({ status: 404, code: 'NoSuchKey', about: 'upload' }).code).toBe('upload-gone');
    expect(answer({ status: 404, code: null, about: 'upload' }).code).toBe('upload-gone');
    expect(answer({ status: 404, code: 'NoSuchBucket', about: 'upload' }).code).toBe('not-found');
  });

  it('of 404 to a HEAD names the kind of resource that was requested', () => {
    expect(answer({ status: 404, about: 'bucket' }).reason).toBe('no-such-bucket');
    expect(answer({ status: 404, about: 'object' }).reason).toBe('no-such-key');
  });

  it('of 404 with a web page does not mean a missing bucket', () => {
    expect(answer({ status: 404, about: 'bucket', foreignText: '<html>' })).toMatchObject({
      code: 'protocol',
      reason: 'unexpected-answer',
    });
    expect(answer({ status: 404, about: 'upload', foreignText: '<html>' }).code).toBe('protocol');
  });

  it('to an anonymous request has its own reason', () => {
    expect(answer({ status: 403, code: 'AccessDenied', anonymous: true }).reason).toBe('anonymous-refused');
    // OpenStack Swift uses its own wording.
    const bare = { status: 412, code: null, anonymous: true } as const;
    expect(answer({ ...bare, foreignText: 'Bad URL' }).reason).toBe('anonymous-refused');
    expect(answer({ ...bare, foreignText: null }).reason).toBe('precondition-failed');
  });

  it('to completing an upload without its checksums has its own reason', () => {
    expect(
      answer({
        code: 'InvalidRequest',
        message: 'The upload was created using a crc32 checksum. ... missing for part 1',
      }),
    ).toMatchObject({ code: 'parts-rejected', reason: 'checksum-missing' });
  });
});

const coded = (code: string, extra: object = {}) => Object.assign(new Error(code), { code, ...extra });

const lost = (thrown: unknown, given: { mayHaveArrived?: boolean; aborted?: boolean } = {}) =>
  networkFailure({ thrown, effect: 'write', mayHaveArrived: true, aborted: false, ...given }).error;

describe('a failure without a response', () => {
  it.each([
    ['ENOTFOUND', 'network', 'dns', 'not-applied'],
    ['EAI_AGAIN', 'network', 'dns', 'not-applied'],
    ['ECONNREFUSED', 'network', 'connection-refused', 'not-applied'],
    ['ECONNRESET', 'network', 'reset', 'unknown'],
    ['UND_ERR_SOCKET', 'network', 'reset', 'unknown'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'connect-timeout', 'not-applied'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'first-byte-timeout', 'unknown'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', 'inactivity', 'unknown'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'network', 'tls-untrusted', 'not-applied'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'network', 'tls-hostname', 'not-applied'],
    ['CERT_HAS_EXPIRED', 'network', 'tls-expired', 'not-applied'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'network', 'tls-protocol', 'not-applied'],
    ['HPE_INVALID_CONSTANT', 'protocol', 'not-http', 'unknown'],
  ])('of %s during a write maps to %s/%s, %s', (code, kind, reason, outcome) => {
    expect(lost(coded(code))).toMatchObject({ code: kind, reason, outcome });
  });

  it('is retried for a refused connection, not for a bad certificate', () => {
    expect(lost(coded('CERT_HAS_EXPIRED')).retry).toBe('after-fix');
    expect(lost(coded('ECONNREFUSED')).retry).toBe('backoff');
  });

  it("counts as not applied if the write's body was not sent completely", () => {
    expect(lost(coded('ECONNRESET'), { mayHaveArrived: false }).outcome).toBe('not-applied');
  });

  it('counts as unknown if a cancelled write may have arrived', () => {
    expect(lost(coded('ABORT_ERR'), { aborted: true })).toMatchObject({
      code: 'cancelled',
      outcome: 'unknown',
    });
  });

  it('counts as unknown if the response to a write is unreadable', () => {
    expect(lost(failure('protocol', 'cut'))).toMatchObject({ code: 'protocol', outcome: 'unknown' });
  });

  it('has the reason found inside wrapped errors', () => {
    expect(networkReasonOf(new Error('fetch failed', { cause: coded('ENOTFOUND') }))).toBe('dns');
    expect(networkReasonOf(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]))).toBe(
      'connection-refused',
    );
    expect(networkReasonOf('what')).toBe('other');
  });

  it('counts as unknown if an established socket ended with ETIMEDOUT', () => {
    expect(lost(coded('ETIMEDOUT', { syscall: 'read' }))).toMatchObject({
      reason: 'reset',
      outcome: 'unknown',
    });
  });
});
