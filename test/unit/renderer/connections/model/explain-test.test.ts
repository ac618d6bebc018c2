import { describe, expect, it } from 'vitest';
import { responseFailure } from '../../../../../electron/core/s3/model/s3-errors.ts';
import {
  clockDifferenceOf,
  explainStep,
  notable,
  testVerdict,
  withStep,
} from '../../../../../renderer/features/connections/model/explain-test.ts';
import {
  newDraft,
  toInput,
} from '../../../../../renderer/features/connections/model/connection-form-model.ts';
import type { ErrorReason } from '../../../../../shared/error-reasons.ts';
import { failure, type AppError } from '../../../../../shared/errors.ts';
import messages from '../../../../../shared/messages/en/connectionForm.json' with { type: 'json' };
import { testStepIds, type TestStep, type TestStepId } from '../../../../../shared/models/connection.ts';

const input = toInput({
  ...newDraft('custom'),
  name: 'x',
  endpoint: 'https://storage.example.com:9443',
  region: 'us-east-1',
  accessKeyId: 'AK',
  secretAccessKey: 'SK',
});

function failed(id: TestStepId, error: AppError | null, facts: TestStep['facts'] = {}): TestStep {
  return { id, state: 'failed', facts, error, durationMs: 1 };
}

const network = (reason: ErrorReason) => failure('network', 'x', { reason }).error;

/** Returns the error that the client makes from a response, so that the sentences are tested with real classifications. */
const answer = (status: number, code: string | null, message: string | null = null, anonymous = false) =>
  responseFailure({
    status,
    code,
    message,
    requestId: 'r',
    retryAfterMs: null,
    effect: 'read',
    about: 'bucket',
    foreignText: null,
    anonymous,
  }).error;

describe('the explanation of a failed connection test', () => {
  it.each([
    ['an unknown host name', 'name-resolves', network('dns'), 'dns', 'check-endpoint'],
    ['a closed port', 'port-answers', network('connection-refused'), 'refused', 'check-endpoint'],
    [
      'a firewall',
      'port-answers',
      failure('timeout', 'x', { reason: 'connect-timeout' }).error,
      'connect-timeout',
      'check-endpoint',
    ],
    ['an unknown authority', 'tls-holds', network('tls-untrusted'), 'tls-untrusted', 'add-ca'],
    [
      'a certificate for another name',
      'tls-holds',
      network('tls-hostname'),
      'tls-hostname',
      'check-endpoint',
    ],
    ['an expired certificate', 'tls-holds', network('tls-expired'), 'tls-expired', undefined],
    ['plain HTTP instead of https', 'tls-holds', network('tls-protocol'), 'tls-protocol', 'check-endpoint'],
    ['a proxy that requires a password', 'port-answers', network('proxy-auth'), 'proxy-auth', 'check-proxy'],
    ['HTML', 'speaks-s3', failure('protocol', 'x', { reason: 'html' }).error, 'html', 'check-endpoint'],
    [
      'a response that is not HTTP',
      'speaks-s3',
      failure('protocol', 'x', { reason: 'not-http' }).error,
      'not-http',
      'check-endpoint',
    ],
    [
      'some other XML',
      'speaks-s3',
      failure('protocol', 'x', { reason: 'unexpected-answer' }).error,
      'not-s3',
      'check-endpoint',
    ],
    ['a wrong clock', 'clock-agrees', answer(403, 'RequestTimeTooSkewed'), 'clock-skew', undefined],
    ['an unknown key', 'key-accepted', answer(403, 'InvalidAccessKeyId'), 'key-unknown', 'retype-keys'],
    ['a wrong secret', 'key-accepted', answer(403, 'SignatureDoesNotMatch'), 'secret-wrong', 'retype-keys'],
    ['an expired token', 'key-accepted', answer(400, 'ExpiredToken'), 'token-expired', 'retype-keys'],
    ['a token of another key', 'key-accepted', answer(400, 'InvalidToken'), 'token-invalid', 'retype-keys'],
    [
      'a wrong region without the right one',
      'region-right',
      answer(400, 'InvalidRegion'),
      'region-unnamed',
      undefined,
    ],
    [
      'a denied listing of buckets',
      'buckets-listed',
      answer(403, 'AccessDenied'),
      'list-denied',
      'set-start',
    ],
    ['a denied bucket', 'first-page', answer(403, 'AccessDenied'), 'bucket-denied', undefined],
    ['a missing bucket', 'first-page', answer(404, 'NoSuchBucket'), 'bucket-missing', 'set-start'],
    ['a key without any permission', 'key-accepted', answer(403, 'AccessDenied'), 'key-denied', undefined],
    [
      'a missing key',
      'buckets-listed',
      answer(403, 'AccessDenied', null, true),
      'anonymous-refused',
      'set-start',
    ],
    ['a busy service', 'speaks-s3', answer(503, 'SlowDown'), 'rate-limited', undefined],
    ['a broken service', 'speaks-s3', answer(500, 'InternalError'), 'server', undefined],
  ] as const)('names the cause and the fix of %s', (_what, step, error, cause, fix) => {
    const explanation = explainStep(failed(step, error), input);
    expect(explanation.cause).toBe(cause);
    expect(explanation.fix?.kind).toBe(fix);
    expect(messages.causes[cause]).toMatch(/\.$/u);
  });

  it.each([
    [
      'the sentence of a service that refuses for its own reason',
      'The key of the bucket is disabled.',
      'The key of the bucket is disabled.',
    ],
    ['the code if there is no sentence', null, 'KMS.DisabledException'],
  ] as const)('quotes %s', (_what, message, sentence) => {
    const error = answer(403, 'KMS.DisabledException', message);
    expect(explainStep(failed('first-page', error), input)).toMatchObject({
      cause: 'service-refused',
      fix: null,
      values: { sentence },
    });
    expect(messages.causes['service-refused']).toContain('{{sentence}}');
  });

  it('exists for every step, even without an error', () => {
    for (const id of testStepIds) {
      expect(messages.causes).toHaveProperty(explainStep(failed(id, null), input).cause);
      expect(messages.test.steps[id]).toBeTruthy();
    }
  });
});

describe('the explanation of a wrong region', () => {
  it('offers the region named in the error response', () => {
    const error = answer(
      400,
      'AuthorizationHeaderMalformed',
      "the region 'us-east-1' is wrong; expecting 'eu-west-1'",
    );
    expect(explainStep(failed('region-right', error), input)).toMatchObject({
      cause: 'region-named',
      fix: { kind: 'use-region', region: 'eu-west-1' },
      values: { region: 'eu-west-1', usedRegion: 'us-east-1' },
    });
  });

  it('offers the region that the test found', () => {
    const step = failed('region-right', answer(301, 'PermanentRedirect'), { region: 'eu-north-1' });
    expect(explainStep(step, input).fix).toEqual({ kind: 'use-region', region: 'eu-north-1' });
  });
});

describe('the values of an explanation', () => {
  it('include host and port, also a default port', () => {
    const refused = failed('port-answers', network('connection-refused'));
    expect(explainStep(refused, input).values).toMatchObject({ host: 'storage.example.com', port: '9443' });
    const plain = { ...input, endpoint: 'https://storage.example.com' };
    expect(explainStep(refused, plain).values).toMatchObject({ port: '443' });
    expect(explainStep(refused, { ...input, endpoint: 'http://localhost' })).toMatchObject({
      cause: 'refused-loopback',
      values: { port: '80' },
    });
  });

  it('include the clock difference with its direction', () => {
    const step = failed('clock-agrees', answer(403, 'RequestTimeTooSkewed'), { differenceSeconds: 1230 });
    expect(explainStep(step, input).cause).toBe('clock-skew-by');
    expect(clockDifferenceOf(step)).toBe(1230);
  });

  it('include the profile if its sign-in has expired', () => {
    const profile = { ...input, auth: { kind: 'aws-profile', profile: 'work' } } as const;
    const step = failed('key-accepted', failure('auth-expired', 'x').error);
    expect(explainStep(step, profile)).toMatchObject({
      cause: 'profile-expired',
      fix: null,
      values: { profile: 'work' },
    });
  });

  it("include the host of a profile's endpoint if the connection has none", () => {
    const profile = { ...input, endpoint: '', auth: { kind: 'aws-profile', profile: 'work' } } as const;
    const step = failed('name-resolves', network('dns'));
    expect(explainStep(step, profile, 'https://s3.lab.example').values.host).toBe('s3.lab.example');
  });

  it('do not mistake a refused request for a closed port', () => {
    expect(explainStep(failed('buckets-listed', answer(400, 'InvalidArgument')), input).cause).toBe(
      'service-refused',
    );
  });

  it('do not treat a denied listing as a failure if a start bucket is set', () => {
    const started = { ...input, start: { bucket: 'b', prefix: '' } };
    expect(explainStep(failed('buckets-listed', answer(403, 'AccessDenied')), started)).toMatchObject({
      cause: 'list-denied-started',
      values: { bucket: 'b' },
    });
  });
});

const ok = (id: TestStepId): TestStep => ({ id, state: 'ok', facts: {}, error: null, durationMs: 1 });

describe('the reported test steps', () => {
  it('are replaced when reported again', () => {
    const running: TestStep = { ...ok('settings'), state: 'running' };
    expect(withStep(withStep([], running), ok('settings'))).toEqual([ok('settings')]);
  });

  it('are explained from the first failure to warnings', () => {
    const warning: TestStep = { ...ok('clock-agrees'), state: 'warning' };
    const steps = [failed('first-page', null), ok('settings'), failed('key-accepted', null), warning];
    expect(notable(steps).map((step) => step.id)).toEqual(['key-accepted', 'clock-agrees']);
    expect(notable([ok('settings')])).toEqual([]);
  });

  it('count as passed only if none failed', () => {
    expect(testVerdict([ok('settings')])).toBe('passed');
    expect(testVerdict([ok('settings'), { ...ok('buckets-listed'), state: 'warning' }])).toBe(
      'passed-with-warnings',
    );
    expect(testVerdict([ok('settings'), failed('first-page', null)])).toBe('failed');
  });
});
