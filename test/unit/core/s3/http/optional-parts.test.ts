import { describe, expect, test } from 'vitest';
import { OptionalParts } from '../../../../../electron/core/s3/http/optional-parts.ts';
import { memoryRefusals, ServiceMemory } from '../../../../../electron/core/s3/model/service-memory.ts';
import { responseFailure } from '../../../../../electron/core/s3/model/s3-errors.ts';
import type { AppError } from '../../../../../shared/errors.ts';

const put = { name: 'PutObject', repeatable: 'always' } as const;
const fields = { headers: { 'content-md5': 'x', 'content-type': 'text/plain' }, query: {} };

function refusal(status: number, code: string | null, message: string | null = null): AppError {
  return responseFailure({
    status,
    code,
    message,
    requestId: null,
    retryAfterMs: null,
    effect: 'write',
    about: 'object',
    anonymous: false,
    foreignText: null,
  }).error;
}

function memoryAt(): { memory: ServiceMemory; clock: { nowMs: number } } {
  const clock = { nowMs: 0 };
  return {
    memory: new ServiceMemory({ monotonicMs: () => clock.nowMs, nowMs: () => clock.nowMs }, memoryRefusals()),
    clock,
  };
}

/** Sends one request, which gets these responses in order. Returns the optional headers of each attempt. */
function play(
  memory: ServiceMemory,
  replies: readonly (AppError | null)[],
  operation = put,
  wanted = fields,
): (readonly string[])[] {
  const parts = new OptionalParts(memory, operation);
  const sent: (readonly string[])[] = [];
  parts.beforeTry(6);
  for (const response of replies) {
    sent.push(Object.keys(parts.fieldsFor(wanted).headers));
    if (response === null) parts.succeeded();
    else if (parts.refused(response) !== 'again') parts.beforeTry(6);
  }
  return sent;
}

const withIt = ['content-md5', 'content-type'];
const withoutIt = ['content-type'];

describe('an optional header that the service refuses', () => {
  test.each([
    [400, 'InvalidArgument'],
    [400, null],
    [405, null],
    [501, 'NotImplemented'],
  ])('with %d %s is omitted at once and from all later requests', (status, code) => {
    const { memory } = memoryAt();
    expect(play(memory, [refusal(status, code), null])).toEqual([withIt, withoutIt]);
    expect(play(memory, [null])).toEqual([withoutIt]);
  });

  test('is not blamed if the request fails without it too; the first error is thrown', () => {
    const { memory } = memoryAt();
    const parts = new OptionalParts(memory, put);
    parts.fieldsFor(fields);
    expect(parts.refused(refusal(400, 'InvalidArgument', 'the first'))).toBe('again');
    parts.fieldsFor(fields);
    expect(parts.refused(refusal(400, 'InvalidRequest', 'the second'))).toMatchObject({
      error: { s3: { message: 'the first' } },
    });
    expect(play(memory, [null])).toEqual([withIt]);
  });

  test.each(['BadDigest', 'InvalidDigest', 'ExpiredToken', 'EntityTooLarge'])(
    'is kept after %s, which has another cause',
    (code) => {
      expect(play(memoryAt().memory, [refusal(400, code), null])).toEqual([withIt, withIt]);
    },
  );

  test('is kept once the service has accepted it, unless the error names it', () => {
    const { memory } = memoryAt();
    play(memory, [null]);
    expect(play(memory, [refusal(400, 'InvalidArgument'), null])).toEqual([withIt, withIt]);
    const named = refusal(400, 'InvalidArgument', "Unsupported header 'Content-MD5'");
    expect(play(memory, [named, null])).toEqual([withIt, withoutIt]);
  });

  test('is kept in CompleteMultipartUpload, which is never resent without verification', () => {
    const complete = { name: 'CompleteMultipartUpload', repeatable: 'never' } as const;
    const parts = new OptionalParts(memoryAt().memory, complete);
    parts.fieldsFor(fields);
    expect(parts.refused(refusal(501, 'NotImplemented'))).toBeNull();
  });
});

describe('an optional header that makes the service fail', () => {
  const failed = refusal(500, 'InternalError');

  test('is omitted after two failures and tried again ten minutes later', () => {
    const { memory, clock } = memoryAt();
    expect(play(memory, [failed, failed, null])).toEqual([withIt, withIt, withoutIt]);
    expect(play(memory, [null])).toEqual([withoutIt]);
    clock.nowMs += 10 * 60_000;
    expect(play(memory, [null])).toEqual([withIt]);
  });

  test('is omitted too if each request is tried only once, as parts are', () => {
    const { memory } = memoryAt();
    expect([failed, failed, null].flatMap((response) => play(memory, [response]))).toEqual([
      withIt,
      withIt,
      withoutIt,
    ]);
  });

  test('is kept if the service has accepted it before', () => {
    const { memory } = memoryAt();
    play(memory, [null]);
    expect(play(memory, [failed, failed, failed, null])).toEqual([withIt, withIt, withIt, withIt]);
  });
});

describe('a checksum', () => {
  const checked = { headers: { ...fields.headers, 'x-amz-checksum-crc64nvme': 'x' }, query: {} };
  const all = ['content-md5', 'content-type', 'x-amz-checksum-crc64nvme'];

  test.each([
    [400, 'InvalidRequest'],
    [400, 'InvalidArgument'],
    [403, 'SignatureDoesNotMatch'],
    [501, 'NotImplemented'],
  ])('that is refused with %d %s is omitted from then on', (status, code) => {
    const { memory } = memoryAt();
    const message = 'You can only specify one checksum at a time.';
    const sent = play(memory, [refusal(status, code, message), null], put, checked);
    expect(sent).toEqual([all, withIt]);
    expect(play(memory, [null], put, checked)[0]).not.toContain('x-amz-checksum-crc64nvme');
  });

  test('is not blamed for a refusal that stays the same without it', () => {
    const { memory } = memoryAt();
    const wrongKey = refusal(403, 'SignatureDoesNotMatch');
    expect(play(memory, [wrongKey, wrongKey], put, checked)).toEqual([all, withIt]);
    expect(play(memory, [null], put, checked)).toEqual([all]);
  });

  test('is not omitted when the service found other bytes', () => {
    const { memory } = memoryAt();
    expect(play(memory, [refusal(400, 'BadDigest'), null], put, checked)).toEqual([all, all]);
  });
});
