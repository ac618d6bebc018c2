import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { TestStep, TestStepId, ConnectionInput } from '../../../shared/models/connection.ts';
import {
  coreUnderTest,
  inputFor,
  serviceKeys,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';
import { fakePorts, instantClock } from '../../support/core/fake-ports.ts';
import {
  startScriptedServer,
  type ScriptedResponse,
  type ScriptedServerOptions,
} from '../../support/servers/scripted-server.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`../../support/certificates/${name}`, import.meta.url), 'utf8');

/** Returns a core whose retries take no time, and whose clock agrees with the service's. */
const quickCore = (): CoreUnderTest =>
  coreUnderTest({ ports: fakePorts({ clock: instantClock(Date.now()) }) });

async function tested(
  input: ConnectionInput,
  under: CoreUnderTest = quickCore(),
): Promise<readonly TestStep[]> {
  const steps: TestStep[] = [];
  for await (const step of await under.client.connections.test({ connectionId: null, input })) {
    if (step.state !== 'running') steps.push(step);
  }
  return steps;
}

const at = (steps: readonly TestStep[], id: TestStepId): TestStep | undefined =>
  steps.find((step) => step.id === id);
const firstFailed = (steps: readonly TestStep[]): TestStep | undefined =>
  steps.find(({ state }) => state === 'failed');

async function scripted(response: ScriptedResponse, options: ScriptedServerOptions = {}): Promise<string> {
  const server = await startScriptedServer(options);
  onTestFinished(() => server.close());
  server.answer(response);
  return server.endpoint;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}

test('a connection test passes every step of a working service', async () => {
  const service = await serviceUnderTest();
  const under = quickCore();
  const steps = await tested(inputFor(service.endpoint), under);
  expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'settings ok',
    'name-resolves ok',
    'port-answers ok',
    'tls-holds skipped',
    'speaks-s3 ok',
    'clock-agrees ok',
    'key-accepted ok',
    'region-right ok',
    'buckets-listed ok',
    'first-page skipped',
  ]);
});

test('a connection test fails at the settings for an invalid endpoint', async () => {
  const failed = firstFailed(await tested(inputFor('https://example.com/path?query')));
  expect(failed).toMatchObject({
    id: 'settings',
    error: { code: 'invalid-argument', reason: 'endpoint-invalid' },
  });
});

test('a connection test fails at the name for an unknown host', async () => {
  const failed = firstFailed(await tested(inputFor('http://no-such-host.invalid')));
  expect(failed).toMatchObject({ id: 'name-resolves', error: { code: 'network', reason: 'dns' } });
});

test('a connection test fails at the port if it is closed', async () => {
  const failed = firstFailed(await tested(inputFor(`http://127.0.0.1:${await closedPort()}`)));
  expect(failed).toMatchObject({
    id: 'port-answers',
    error: { code: 'network', reason: 'connection-refused' },
  });
});

test('a connection test fails at S3 for a web page', async () => {
  const page = '<!doctype html><html><body>Sign in</body></html>';
  const endpoint = await scripted({ status: 200, headers: { 'content-type': 'text/html' }, body: page });
  expect(firstFailed(await tested(inputFor(endpoint)))).toMatchObject({
    id: 'speaks-s3',
    error: { code: 'protocol', reason: 'html' },
  });
});

test("a connection test fails at S3 for a web server's 404", async () => {
  const endpoint = await scripted({
    status: 404,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Not found</h1>',
  });
  expect(firstFailed(await tested(inputFor(endpoint)))).toMatchObject({
    id: 'speaks-s3',
    error: { code: 'protocol' },
  });
});

test('a connection test fails at S3 for a server that resets the connection', async () => {
  const endpoint = await scripted('reset');
  expect(firstFailed(await tested(inputFor(endpoint)))).toMatchObject({
    id: 'speaks-s3',
    error: { code: 'network', reason: 'reset' },
  });
});

test('a connection test fails at the key for a wrong secret', async () => {
  const service = await serviceUnderTest();
  const auth = {
    kind: 'keys',
    accessKeyId: serviceKeys.accessKeyId,
    secretAccessKey: 'wrong',
    sessionToken: null,
  } as const;
  const steps = await tested(inputFor(service.endpoint, { auth }));
  expect(at(steps, 'speaks-s3')?.state).toBe('ok');
  expect(firstFailed(steps)).toMatchObject({
    id: 'key-accepted',
    error: { code: 'access-denied', reason: 'secret-wrong', s3: { code: 'SignatureDoesNotMatch' } },
  });
});

test('a connection test fails at the key for an unknown access key', async () => {
  const service = await serviceUnderTest();
  const auth = { kind: 'keys', accessKeyId: 'NOBODY', secretAccessKey: 'x', sessionToken: null } as const;
  expect(firstFailed(await tested(inputFor(service.endpoint, { auth })))).toMatchObject({
    id: 'key-accepted',
    error: { code: 'access-denied', reason: 'key-unknown', s3: { code: 'InvalidAccessKeyId' } },
  });
});

test('a connection test fails at the key for an expired token', async () => {
  const service = await serviceUnderTest({
    credentials: [{ ...serviceKeys, sessionToken: 'token', expiresAtMs: 1 }],
  });
  const auth = { kind: 'keys', ...serviceKeys, sessionToken: 'token' } as const;
  expect(firstFailed(await tested(inputFor(service.endpoint, { auth })))).toMatchObject({
    id: 'key-accepted',
    error: { code: 'auth-expired', reason: 'token-expired' },
  });
});

test('a connection test warns of a wrong region and uses the one the service names', async () => {
  const service = await serviceUnderTest({ region: 'eu-north-1' });
  const steps = await tested(inputFor(service.endpoint, { region: 'us-west-2' }));
  expect(at(steps, 'region-right')).toMatchObject({
    state: 'warning',
    facts: { region: 'eu-north-1' },
    error: { code: 'invalid-argument', reason: 'region-mismatch' },
  });
  expect(at(steps, 'buckets-listed')?.state).toBe('ok');
});

test('a connection test of a wrong region and a wrong secret fails', async () => {
  const service = await serviceUnderTest({ region: 'eu-north-1' });
  const auth = {
    kind: 'keys',
    accessKeyId: serviceKeys.accessKeyId,
    secretAccessKey: 'wrong',
    sessionToken: null,
  } as const;
  const steps = await tested(inputFor(service.endpoint, { region: 'us-west-2', auth }));
  expect(firstFailed(steps)?.error?.reason).toMatch(/secret-wrong|region-mismatch/);
});

test('a connection test finds the region if none is given', async () => {
  const service = await serviceUnderTest({ region: 'eu-north-1' });
  const steps = await tested(inputFor(service.endpoint, { region: null }));
  expect(steps.filter(({ state }) => state === 'failed' || state === 'warning')).toEqual([]);
});

test('a connection test warns of a clock off by twenty minutes in either direction', async () => {
  for (const minutes of [20, -20]) {
    const service = await serviceUnderTest();
    service.faults.clockOffsetMs = -minutes * 60_000;
    const step = at(await tested(inputFor(service.endpoint)), 'clock-agrees');
    expect(step?.state).toBe('warning');
    expect(Math.abs(Number(step?.facts['differenceSeconds']) - minutes * 60)).toBeLessThan(5);
  }
});

test('a connection test fails at the buckets for a denied listing', async () => {
  const service = await serviceUnderTest({ quirks: { listBuckets: 'denied' } });
  const steps = await tested(inputFor(service.endpoint));
  expect(at(steps, 'key-accepted')?.state).toBe('ok');
  expect(firstFailed(steps)).toMatchObject({
    id: 'buckets-listed',
    error: { code: 'access-denied', reason: 'denied' },
  });
});

test('a connection test with a start bucket passes a denied listing if that bucket exists', async () => {
  const service = await serviceUnderTest({ quirks: { listBuckets: 'denied' } });
  const under = quickCore();
  const { id } = await under.client.connections.create(inputFor(service.endpoint));
  const client = await under.core.connectionClient(id);
  await client.createBucket({ bucket: 'mine' });
  await client.putObject({
    bucket: 'mine',
    key: 'dir/a',
    body: { sizeBytes: 0, open: () => new Uint8Array() },
  });

  const opened = await tested(
    inputFor(service.endpoint, { start: { bucket: 'mine', prefix: 'dir/' } }),
    under,
  );
  expect(at(opened, 'buckets-listed')).toMatchObject({ state: 'warning', error: { code: 'access-denied' } });
  expect(at(opened, 'first-page')).toMatchObject({ state: 'ok', facts: { bucket: 'mine', entries: 1 } });

  const missing = await tested(
    inputFor(service.endpoint, { start: { bucket: 'missing', prefix: '' } }),
    under,
  );
  expect(firstFailed(missing)).toMatchObject({
    id: 'first-page',
    error: { code: 'not-found', reason: 'no-such-bucket' },
  });
});

test('a connection test passes for a public bucket without a key', async () => {
  const service = await serviceUnderTest({ publicBuckets: ['public'] });
  const under = quickCore();
  const { id } = await under.client.connections.create(inputFor(service.endpoint));
  await (await under.core.connectionClient(id)).createBucket({ bucket: 'public' });
  const anonymous = inputFor(service.endpoint, {
    auth: { kind: 'anonymous' },
    start: { bucket: 'public', prefix: '' },
  });
  const steps = await tested(anonymous, under);
  expect(at(steps, 'key-accepted')?.state).toBe('skipped');
  expect(at(steps, 'buckets-listed')?.state).toBe('warning');
  expect(at(steps, 'first-page')?.state).toBe('ok');
  const nowhere = await tested({ ...anonymous, start: null }, under);
  expect(firstFailed(nowhere)).toMatchObject({
    id: 'buckets-listed',
    error: { reason: 'anonymous-refused' },
  });
});

const answer: ScriptedResponse = {
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: '<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>',
};
const tls = (name: string): ScriptedServerOptions => ({
  tls: { key: pem(`${name}.key`), cert: pem(`${name}.pem`) },
});

test('a connection test fails for an untrusted certificate until its authority is given', async () => {
  const endpoint = await scripted(answer, tls('server'));
  expect(firstFailed(await tested(inputFor(endpoint)))).toMatchObject({
    id: 'tls-holds',
    error: { code: 'network', reason: 'tls-untrusted' },
  });
  const trusted = await tested(inputFor(endpoint, { caPem: pem('ca.pem') }));
  expect(at(trusted, 'tls-holds')).toMatchObject({ state: 'ok', facts: { protocol: 'TLSv1.3' } });
  expect(firstFailed(trusted)).toBeUndefined();
});

test.each([
  ['other', 'tls-hostname'],
  ['expired', 'tls-expired'],
])('a connection test fails for a certificate that is %s', async (name, reason) => {
  const endpoint = await scripted(answer, tls(name));
  const failed = firstFailed(await tested(inputFor(endpoint, { caPem: pem('ca.pem') })));
  expect(failed).toMatchObject({ id: 'tls-holds', error: { code: 'network', reason } });
});

test('a connection test fails for https to a plain HTTP service', async () => {
  const service = await serviceUnderTest();
  const failed = firstFailed(await tested(inputFor(service.endpoint.replace('http:', 'https:'))));
  expect(failed).toMatchObject({ id: 'tls-holds', error: { code: 'network', reason: 'tls-protocol' } });
});

test('a connection test fails for an unreachable proxy', async () => {
  const service = await serviceUnderTest();
  const url = `http://127.0.0.1:${await closedPort()}`;
  const failed = firstFailed(await tested(inputFor(service.endpoint, { proxy: { kind: 'url', url } })));
  expect(failed).toMatchObject({ id: 'port-answers', error: { code: 'network', reason: 'proxy-failed' } });
});

test('a connection test fails for a proxy that requires a password', async () => {
  const proxy = await scripted({ status: 407, headers: { 'proxy-authenticate': 'Basic' } });
  const input = inputFor('https://s3.example.com', { proxy: { kind: 'url', url: proxy } });
  const failed = firstFailed(await tested(input));
  expect(failed).toMatchObject({ id: 'tls-holds', error: { code: 'network' } });
  expect(failed?.error?.reason).toMatch(/^proxy-/);
});

test('aborting a connection test ends the request in flight', async () => {
  const service = await serviceUnderTest();
  service.faults.add({ operation: 'ListBuckets', action: { kind: 'hang', apply: false } });
  const under = quickCore();
  const aborter = new AbortController();
  const stream = await under.client.connections.test(
    { connectionId: null, input: inputFor(service.endpoint) },
    { signal: aborter.signal },
  );
  const states: string[] = [];
  const reading = (async () => {
    for await (const { state } of stream) states.push(state);
  })().catch((thrown: unknown) => thrown);
  await vi.waitFor(() => expect(service.faults.count('ListBuckets')).toBe(1));
  aborter.abort();
  await reading;
  expect(states).not.toContain('failed');
  const entries = await under.client.requestLog.list({ beforeId: null, limit: 10, connectionId: null });
  expect(entries.map(({ error }) => error)).toEqual(['cancelled']);
});
