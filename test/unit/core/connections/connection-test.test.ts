import { describe, expect, test } from 'vitest';
import {
  blamedStep,
  runConnectionTest,
  type ServiceAnswer,
  type TestProbes,
  type TestTarget,
} from '../../../../electron/core/connections/connection-test.ts';
import { AppFailure, failure, type AppError } from '../../../../shared/errors.ts';
import { testStepIds, type TestStep } from '../../../../shared/models/connection-test.ts';

const target: TestTarget = {
  hostname: 's3.example.com',
  port: 443,
  encrypted: true,
  proxied: false,
  anonymous: false,
  region: 'us-east-1',
  start: null,
};
const good: ServiceAnswer = { error: null, buckets: ['a', 'b'], clockDifferenceMs: 500, corrected: null };

function probes(change: Partial<TestProbes> = {}, targetChange: Partial<TestTarget> = {}): TestProbes {
  return {
    settings: () => Promise.resolve({ ...target, ...targetChange }),
    resolve: () => Promise.resolve(['192.0.2.1']),
    open: () => Promise.resolve({ address: '192.0.2.1' }),
    handshake: () => Promise.resolve({ protocol: 'TLSv1.3' }),
    ask: () => Promise.resolve(good),
    firstPage: () => Promise.resolve({ entries: 3 }),
    ...change,
  };
}

async function run(given: TestProbes): Promise<readonly TestStep[]> {
  let ms = 0;
  const steps: TestStep[] = [];
  for await (const step of runConnectionTest(given, () => (ms += 7))) steps.push(step);
  return steps;
}

const results = (steps: readonly TestStep[]) => steps.filter(({ state }) => state !== 'running');
const stateOf = (steps: readonly TestStep[]) =>
  Object.fromEntries(results(steps).map(({ id, state }) => [id, state]));
const failed = (steps: readonly TestStep[]) => steps.find(({ state }) => state === 'failed');
const no = (why: AppFailure) => () => Promise.reject(why);
const answering = (why: AppError): Partial<TestProbes> => ({
  ask: () => Promise.resolve({ error: why, buckets: [], clockDifferenceMs: null, corrected: null }),
});

test('each step begins, then ends, in the order that the window shows', async () => {
  const steps = await run(probes());
  expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual(
    testStepIds.flatMap((id) => [`${id} running`, `${id} ok`]),
  );
  expect(results(steps).every(({ durationMs }) => durationMs === 7)).toBe(true);
  expect(results(steps).at(-2)?.facts).toEqual({ buckets: 2 });
  expect(results(steps).at(-1)?.facts).toEqual({ bucket: 'a', entries: 3 });
});

test('the first that fails ends the test; the rest is skipped, not tried', async () => {
  let asked = 0;
  const steps = await run(
    probes({
      open: no(failure('network', 'refused', { reason: 'connection-refused' })),
      ask: () => {
        asked += 1;
        return Promise.resolve(good);
      },
    }),
  );
  expect(stateOf(steps)).toEqual({
    settings: 'ok',
    'name-resolves': 'ok',
    'port-answers': 'failed',
    ...Object.fromEntries(testStepIds.slice(3).map((id) => [id, 'skipped'])),
  });
  expect(failed(steps)?.error).toMatchObject({ code: 'network', reason: 'connection-refused' });
  expect(asked).toBe(0);
});

const s3 = (code: string | null, status: number) => ({
  s3: { status, code, message: null, requestId: null },
});

test.each<[string, AppError, string]>([
  [
    'an untrusted certificate behind a proxy',
    failure('network', '', { reason: 'tls-untrusted' }).error,
    'tls-holds',
  ],
  ['a proxy that wants a password', failure('network', '', { reason: 'proxy-auth' }).error, 'tls-holds'],
  ['a web page', failure('protocol', '', { reason: 'html' }).error, 'speaks-s3'],
  ['something that is no HTTP', failure('protocol', '', { reason: 'not-http' }).error, 'speaks-s3'],
  ['silence', failure('timeout', '', { reason: 'first-byte-timeout' }).error, 'speaks-s3'],
  ['a bare 503', failure('server', '', { reason: 'unavailable', ...s3(null, 503) }).error, 'speaks-s3'],
  [
    'a clock that is wrong',
    failure('clock-skew', '', { reason: 'clock-skew', ...s3('RequestTimeTooSkewed', 403) }).error,
    'clock-agrees',
  ],
  [
    'an unknown key',
    failure('access-denied', '', { reason: 'key-unknown', ...s3('InvalidAccessKeyId', 403) }).error,
    'key-accepted',
  ],
  [
    'a wrong secret',
    failure('access-denied', '', { reason: 'secret-wrong', ...s3('SignatureDoesNotMatch', 403) }).error,
    'key-accepted',
  ],
  [
    'an expired token',
    failure('auth-expired', '', { reason: 'token-expired', ...s3('ExpiredToken', 400) }).error,
    'key-accepted',
  ],
  [
    'a profile without keys',
    failure('invalid-argument', '', { reason: 'profile-unusable' }).error,
    'key-accepted',
  ],
  [
    'a wrong region',
    failure('invalid-argument', '', { reason: 'region-mismatch', ...s3('AuthorizationHeaderMalformed', 400) })
      .error,
    'region-right',
  ],
  [
    'a denied listing',
    failure('access-denied', '', { reason: 'denied', ...s3('AccessDenied', 403) }).error,
    'buckets-listed',
  ],
  [
    'a service that is overloaded',
    failure('rate-limited', '', { reason: 'slow-down', ...s3('SlowDown', 503) }).error,
    'buckets-listed',
  ],
])('%s is blamed on its own step', async (_what, error, step) => {
  expect(blamedStep(error)).toBe(step);
  const proxied = step === 'tls-holds';
  const steps = await run(probes(answering(error), { proxied }));
  expect(failed(steps)).toMatchObject({ id: step, error });
});

describe('what is worth a word, and no failure', () => {
  const denied = failure('access-denied', '', { reason: 'denied', ...s3('AccessDenied', 403) }).error;
  const start = { bucket: 'photos', prefix: '2024/' };

  test('a denied listing, where it is known in which bucket to start', async () => {
    const opened: string[] = [];
    const steps = await run(
      probes(
        {
          ...answering(denied),
          firstPage: (bucket, prefix) => {
            opened.push(`${bucket}/${prefix}`);
            return Promise.resolve({ entries: 1 });
          },
        },
        { start },
      ),
    );
    expect(stateOf(steps)).toMatchObject({ 'buckets-listed': 'warning', 'first-page': 'ok' });
    expect(opened).toEqual(['photos/2024/']);
  });

  test('but then that bucket has to open', async () => {
    const missing = failure('not-found', '', { reason: 'no-such-bucket' });
    const steps = await run(probes({ ...answering(denied), firstPage: no(missing) }, { start }));
    expect(failed(steps)).toMatchObject({
      id: 'first-page',
      error: { reason: 'no-such-bucket' },
      facts: { bucket: 'photos' },
    });
  });

  test('a wrong region that the service names, and where the keys then work', async () => {
    const error = failure('invalid-argument', '', { reason: 'region-mismatch' }).error;
    const steps = await run(
      probes({
        ask: () =>
          Promise.resolve({ ...good, error, buckets: [], corrected: { region: 'eu-west-1', answer: good } }),
      }),
    );
    expect(results(steps).find(({ id }) => id === 'region-right')).toMatchObject({
      state: 'warning',
      facts: { region: 'eu-west-1' },
      error: { reason: 'region-mismatch' },
    });
    expect(stateOf(steps)).toMatchObject({ 'buckets-listed': 'ok', 'first-page': 'ok' });
  });

  test('keys that are wrong in the right region are blamed on the key', async () => {
    const error = failure('invalid-argument', '', { reason: 'region-mismatch' }).error;
    const wrong = failure('access-denied', '', { reason: 'secret-wrong' }).error;
    const steps = await run(
      probes({
        ask: () =>
          Promise.resolve({
            ...good,
            error,
            corrected: { region: 'eu-west-1', answer: { ...good, error: wrong } },
          }),
      }),
    );
    expect(failed(steps)).toMatchObject({ id: 'key-accepted', error: { reason: 'secret-wrong' } });
  });

  test('a clock that is off and that the client can allow for', async () => {
    const steps = await run(
      probes({ ask: () => Promise.resolve({ ...good, clockDifferenceMs: 20 * 60_000 }) }),
    );
    expect(results(steps).find(({ id }) => id === 'clock-agrees')).toMatchObject({
      state: 'warning',
      facts: { differenceSeconds: 1200 },
    });
  });

  test('the first bucket of a list being closed to this key', async () => {
    const steps = await run(probes({ firstPage: no(new AppFailure(denied)) }));
    expect(stateOf(steps)).toMatchObject({ 'first-page': 'warning' });
  });
});

test('plain HTTP has no TLS to look at, and an anonymous connection no key', async () => {
  const steps = await run(probes({}, { encrypted: false, anonymous: true }));
  expect(stateOf(steps)).toMatchObject({
    'tls-holds': 'skipped',
    'key-accepted': 'skipped',
    'first-page': 'ok',
  });
});

test('without a single bucket there is no first page to read', async () => {
  const steps = await run(probes({ ask: () => Promise.resolve({ ...good, buckets: [] }) }));
  expect(stateOf(steps)).toMatchObject({ 'buckets-listed': 'ok', 'first-page': 'skipped' });
});

test('a proxy that cannot be reached is not taken for the service', async () => {
  const steps = await run(
    probes({ open: no(failure('network', 'refused', { reason: 'connection-refused' })) }, { proxied: true }),
  );
  expect(failed(steps)).toMatchObject({
    id: 'port-answers',
    error: { code: 'network', reason: 'proxy-failed' },
  });
});

test('being given up, and a fault of the program, end the test and are no result of it', async () => {
  await expect(run(probes({ resolve: no(failure('cancelled', 'given up')) }))).rejects.toThrow('given up');
  await expect(run(probes({ ask: () => Promise.reject(new TypeError('a bug')) }))).rejects.toThrow('a bug');
});
