import { ORPCError } from '@orpc/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CoreClient } from '../../../shared/contract/index.ts';
import { appErrorSchema } from '../../../shared/error-schema.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Secrets } from '../../../electron/core/ports.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { transports, type ContractClient, type Transport } from '../../support/core/contract-client.ts';

async function connected(transport: Transport, core: Parameters<Transport>[0]): Promise<ContractClient> {
  const contractClient = await transport(core);
  let open = true;
  const disconnect = async (): Promise<void> => {
    if (open) await contractClient.disconnect();
    open = false;
  };
  onTestFinished(disconnect);
  return { client: contractClient.client, disconnect };
}

/** Returns the typed error of a call. Fails the test if the call succeeds or fails otherwise. */
async function appErrorOf(call: Promise<unknown>): Promise<AppError> {
  const thrown: unknown = await call.then(
    () => new Error('The call succeeded, and a failure was expected.'),
    (reason: unknown) => reason,
  );
  if (thrown instanceof ORPCError && thrown.code === 'APP' && thrown.defined)
    return appErrorSchema.parse(thrown.data);
  throw thrown;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not become so within 5 s.');
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

async function errorsOf(client: CoreClient): Promise<(string | null)[]> {
  const entries = await client.requestLog.list({ beforeId: null, limit: 100, connectionId: null });
  return entries.map(({ error }) => error);
}

const bug = () => Promise.reject(new TypeError('a bug'));

/** Creates ports whose secrets fail with an unexpected error when keys are read or written. */
function brokenPorts() {
  const broken: Secrets = { protection: 'file', get: bug, set: bug, delete: () => Promise.resolve() };
  return fakePorts({ secrets: broken });
}

const folder = (bucket: string, prefix = '') =>
  ({ connectionId: 'samples', bucket, prefix, delimiter: '/', pageToken: null }) as const;

async function filledService() {
  const service = await serviceUnderTest();
  const { core, ports, client } = coreUnderTest({ service });
  const s3 = await core.connectionClient('samples');
  await s3.createBucket({ bucket: 'photos' });
  for (const key of ['a.txt', 'a/', 'a/1', '007', ' spaces ', 'ключ', '../x', 'plus+and%20']) {
    await s3.putObject({ bucket: 'photos', key, body: { sizeBytes: 1, open: () => Buffer.from('x') } });
  }
  return { service, core, ports, direct: client };
}

describe.each(transports)('the contract over %s', (_name, transport) => {
  test('transfers a listing byte for byte', async () => {
    const { core, direct } = await filledService();
    const { client } = await connected(transport, core.router);
    const page = await client.objects.list(folder('photos'));
    expect(page).toEqual(await direct.objects.list(folder('photos')));
    expect(page.commonPrefixes).toEqual(['../', 'a/']);
    expect(page.objects.map(({ key }) => key)).toEqual([' spaces ', '007', 'a.txt', 'plus+and%20', 'ключ']);
  });

  test('transfers an error of the service as typed error with code and request id', async () => {
    const { core } = await filledService();
    const { client } = await connected(transport, core.router);
    const error = await appErrorOf(client.objects.list(folder('absent')));
    expect(error).toMatchObject({
      code: 'not-found',
      reason: 'no-such-bucket',
      s3: { status: 404, code: 'NoSuchBucket' },
    });
    expect(error.s3?.requestId).toBeTruthy();
  });

  test('rejects invalid input as invalid-argument without repeating its values', async () => {
    const { core } = coreUnderTest();
    const { client } = await connected(transport, core.router);
    const bad = { connectionId: 7, bucket: 'b', prefix: '', delimiter: 'HIDDEN', pageToken: null };
    const error = await appErrorOf(
      client.objects.list(bad as unknown as Parameters<CoreClient['objects']['list']>[0]),
    );
    expect(error).toMatchObject({ code: 'invalid-argument', reason: 'input' });
    expect(error.message).toMatch(/connectionId/);
    expect(error.message).not.toMatch(/HIDDEN/);
  });

  test('reports an unexpected error as internal and logs it', async () => {
    const { core, ports } = coreUnderTest({ ports: brokenPorts() });
    const { client } = await connected(transport, core.router);
    const error = await appErrorOf(client.connections.create(inputFor('http://127.0.0.1:1')));
    expect(error).toMatchObject({ code: 'internal' });
    expect(ports.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('sends events to every window that watches', async () => {
    const { core } = coreUnderTest();
    const first = await connected(transport, core.router);
    const second = await connected(transport, core.router);
    const streams = [await first.client.app.watch(), await second.client.app.watch()];
    await first.client.settings.update({ theme: 'dark' });
    for (const stream of streams) {
      expect(await stream.next()).toEqual({ done: false, value: { kind: 'settings-changed' } });
      await stream.return?.();
    }
  });

  test("ends a stream's handler on the other side when the window leaves it", async () => {
    const { core } = coreUnderTest();
    const { client } = await connected(transport, core.router);
    const stream = await client.app.watch();
    await client.settings.update({ theme: 'dark' });
    for await (const event of stream) {
      expect(event).toEqual({ kind: 'settings-changed' });
      break;
    }
    await until(() => core.events.watchers === 0);
  });

  test('ends the streams and requests of a closed window', async () => {
    const { core, direct, service } = await filledService();
    const window = await connected(transport, core.router);
    const { client } = window;
    await client.app.watch();
    service.faults.add({ operation: 'ListObjectsV2', action: { kind: 'hang', apply: false } });
    const lost = client.objects.list(folder('photos')).catch((thrown: unknown) => thrown);
    await until(() => service.faults.count('ListObjectsV2') === 1);
    await window.disconnect();
    await until(() => core.events.watchers === 0);
    await until(async () => (await errorsOf(direct)).includes('cancelled'));
    expect(await lost).toBeInstanceOf(Error);
  });

  test('stops the request to the service on abort', async () => {
    const { core, direct, service } = await filledService();
    const { client } = await connected(transport, core.router);
    service.faults.add({ operation: 'ListObjectsV2', action: { kind: 'hang', apply: false } });
    const aborter = new AbortController();
    const call = client.objects
      .list(folder('photos'), { signal: aborter.signal })
      .catch((thrown: unknown) => thrown);
    await until(() => service.faults.count('ListObjectsV2') === 1);
    aborter.abort();
    expect(await call).toBeInstanceOf(Error);
    await until(async () => (await errorsOf(direct)).includes('cancelled'));
  });

  test('transfers an error in the middle of a stream as typed error', async () => {
    const { core } = coreUnderTest({ ports: brokenPorts() });
    const { client } = await connected(transport, core.router);
    const input = inputFor('http://127.0.0.1:1', { auth: { kind: 'aws-profile', profile: 'p' } });
    const { id } = await client.connections.create(input);
    const stream = await client.connections.test({ connectionId: id, input });
    expect(await stream.next()).toMatchObject({ value: { id: 'settings', state: 'running' } });
    expect(await appErrorOf(Promise.resolve(stream.next()))).toMatchObject({ code: 'internal' });
  });
});
