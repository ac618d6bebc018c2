import { describe, expect, test } from 'vitest';
import {
  blamedStep,
  runConnectionTest,
  type TestedResponse,
  type TestProbes,
  type TestTarget,
} from '../../../../electron/core/connections/connection-test.ts';
import { AppFailure, failure, type AppError } from '../../../../shared/errors.ts';
import { testStepIds, type TestStep } from '../../../../shared/models/connection.ts';

const target: TestTarget = {
  hostname: 's3.example.com',
  port: 443,
  encrypted: true,
  proxied: false,
  anonymous: false,
  region: 'us-east-1',
  start: null,
};
const good: TestedResponse = { error: null, buckets: ['a', 'b'], clockDifferenceMs: 500, corrected: null };

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

test('each step of a connection test starts and ends in display order', async () => {
  const steps = await run(probes());
  expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual(
    testStepIds.flatMap((id) => [`${id} running`, `${id} ok`]),
  );
  expect(results(steps).every(({ durationMs }) => durationMs === 7)).toBe(true);
  expect(results(steps).at(-2)?.facts).toEqual({ buckets: 2 });
  expect(results(steps).at(-1)?.facts).toEqual({ bucket: 'a', entries: 3 });
});

test('the first failed step of a connection test ends it and skips the rest', async () => {
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
  ['a proxy that requires a password', failure('network', '', { reason: 'proxy-auth' }).error, 'tls-holds'],
  ['a web page', failure('protocol', '', { reason: 'html' }).error, 'speaks-s3'],
  ['a response that is not HTTP', failure('protocol', '', { reason: 'not-http' }).error, 'speaks-s3'],
  ['silence', failure('timeout', '', { reason: 'first-byte-timeout' }).error, 'speaks-s3'],
  ['a bare 503', failure('server', '', { reason: 'unavailable', ...s3(null, 503) }).error, 'speaks-s3'],
  [
    'a wrong clock',
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
    'an overloaded service',
    failure('rate-limited', '', { reason: 'slow-down', ...s3('SlowDown', 503) }).error,
    'buckets-listed',
  ],
])('a connection test attributes %s to the step that failed', async (_what, error, step) => {
  expect(blamedStep(error)).toBe(step);
  const proxied = step === 'tls-holds';
  const steps = await run(probes(answering(error), { proxied }));
  expect(failed(steps)).toMatchObject({ id: step, error });
});

describe('a connection test warns without failing about', () => {
  const denied = failure('access-denied', '', { reason: 'denied', ...s3('AccessDenied', 403) }).error;
  const start = { bucket: 'photos', prefix: '2024/' };

  test('a denied listing if a start bucket is known', async () => {
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

  test('a denied listing, but fails if the start bucket does not open', async () => {
    const missing = failure('not-found', '', { reason: 'no-such-bucket' });
    const steps = await run(probes({ ...answering(denied), firstPage: no(missing) }, { start }));
    expect(failed(steps)).toMatchObject({
      id: 'first-page',
      error: { reason: 'no-such-bucket' },
      facts: { bucket: 'photos' },
    });
  });

  test('a wrong region if the service names the right one and the keys work there', async () => {
    const error = failure('invalid-argument', '', { reason: 'region-mismatch' }).error;
    const steps = await run(
      probes({
        ask: () =>
          Promise.resolve({
            ...good,
            error,
            buckets: [],
            corrected: { region: 'eu-west-1', response: good },
          }),
      }),
    );
    expect(results(steps).find(({ id }) => id === 'region-right')).toMatchObject({
      state: 'warning',
      facts: { region: 'eu-west-1' },
      error: { reason: 'region-mismatch' },
    });
    expect(stateOf(steps)).toMatchObject({ 'buckets-listed': 'ok', 'first-page': 'ok' });
  });

  test('a wrong region, but fails at the key step if the keys are wrong in the right region', async () => {
    const error = failure('invalid-argument', '', { reason: 'region-mismatch' }).error;
    const wrong = failure('access-denied', '', { reason: 'secret-wrong' }).error;
    const steps = await run(
      probes({
        ask: () =>
          Promise.resolve({
            ...good,
            error,
            corrected: { region: 'eu-west-1', response: { ...good, error: wrong } },
          }),
      }),
    );
    expect(failed(steps)).toMatchObject({ id: 'key-accepted', error: { reason: 'secret-wrong' } });
  });

  test('a clock difference that the client can correct', async () => {
    const steps = await run(
      probes({ ask: () => Promise.resolve({ ...good, clockDifferenceMs: 20 * 60_000 }) }),
    );
    expect(results(steps).find(({ id }) => id === 'clock-agrees')).toMatchObject({
      state: 'warning',
      facts: { differenceSeconds: 1200 },
    });
  });

  test('the first listed bucket being closed to this key', async () => {
    const steps = await run(probes({ firstPage: no(new AppFailure(denied)) }));
    expect(stateOf(steps)).toMatchObject({ 'first-page': 'warning' });
  });
});

test.each([
  ['another computer', 'storage.example.com', 'warning'],
  ['this computer', '127.0.0.1', 'skipped'],
] as const)(
  'a connection test warns of plain http to %s only if others could read it',
  async (_, hostname, state) => {
    const steps = await run(probes({}, { hostname, encrypted: false }));
    expect(stateOf(steps)).toMatchObject({ 'tls-holds': state, 'first-page': 'ok' });
  },
);

test('a connection test of an anonymous connection has no key to check', async () => {
  const steps = await run(probes({}, { anonymous: true }));
  expect(stateOf(steps)).toMatchObject({ 'key-accepted': 'skipped', 'first-page': 'ok' });
});

test('a connection test of an account without buckets skips the first page', async () => {
  const steps = await run(probes({ ask: () => Promise.resolve({ ...good, buckets: [] }) }));
  expect(stateOf(steps)).toMatchObject({ 'buckets-listed': 'ok', 'first-page': 'skipped' });
});

test("a connection test reports an unreachable proxy as the proxy's failure", async () => {
  const steps = await run(
    probes({ open: no(failure('network', 'refused', { reason: 'connection-refused' })) }, { proxied: true }),
  );
  expect(failed(steps)).toMatchObject({
    id: 'port-answers',
    error: { code: 'network', reason: 'proxy-failed' },
  });
});

test('a cancelled connection test and a bug in it reject instead of yielding a result', async () => {
  await expect(run(probes({ resolve: no(failure('cancelled', 'given up')) }))).rejects.toThrow('given up');
  await expect(run(probes({ ask: () => Promise.reject(new TypeError('a bug')) }))).rejects.toThrow('a bug');
});
