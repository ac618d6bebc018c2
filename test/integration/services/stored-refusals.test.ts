import { expect, test } from 'vitest';
import { checksumOf } from '../../../electron/core/disk/checksums.ts';
import { refusalLifetimeMs } from '../../../electron/core/s3/model/service-memory.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { b2, followPlan } from '../../support/lab-service/service-plans.ts';
import { bytesSource } from '../../support/servers/s3-client.ts';
import { tempDir } from '../../support/temp-dir.ts';

const hourMs = 3_600_000;
const look = async (client: S3Client) =>
  await client.headObject({ bucket: 'papers', key: 'k', checksums: true });

/** Sets up a bucket on the service, and a function that starts the program repeatedly with the same data folder. */
async function startable(service: Awaited<ReturnType<typeof serviceUnderTest>>) {
  const owner = await coreUnderTest({ service }).core.connectionClient('samples');
  await owner.createBucket({ bucket: 'papers' });
  const ports = fakePorts();
  const dataDir = tempDir();
  let aheadMs = 0;
  const clock = {
    ...nodeClock,
    nowMs: () => nodeClock.nowMs() + aheadMs,
    advance: () => Promise.resolve(),
    sleepers: 0,
  };
  return {
    owner,
    run: () => coreUnderTest({ dataDir, ports: { ...ports, clock } }),
    pass: (ms: number) => {
      aheadMs += ms;
    },
  };
}

/** Sets up a service like B2 with an object, and the program as `startable` does. */
async function world() {
  const service = await serviceUnderTest();
  const { owner, run, pass } = await startable(service);
  await owner.putObject({ bucket: 'papers', key: 'k', body: bytesSource('x') });
  followPlan(service, b2);
  /** Returns whether the header that the service refuses was sent for a HEAD with each connection. */
  const asks = async (connectionId: string): Promise<boolean> => {
    const { core } = run();
    const before = service.faults.journal.length;
    const client = await core.connectionClient(connectionId);
    await client.headObject({ bucket: 'papers', key: 'k', checksums: true });
    await core.close();
    return service.faults.journal.slice(before).some(({ headers }) => headers.has('x-amz-checksum-mode'));
  };
  return { service, run, asks, pass };
}

test('a header that a service refused is not sent after a restart, and is tried again after a week', async () => {
  const { service, run, asks, pass } = await world();
  const first = run();
  const { id } = await first.client.connections.create(inputFor(service.endpoint));
  await first.core.close();
  expect(await asks(id)).toBe(true);
  expect(await asks(id)).toBe(false);
  pass(refusalLifetimeMs);
  expect(await asks(id)).toBe(true);
  expect(await asks(id)).toBe(false);
});

test('a refusal counts only for the endpoint and the account that it came from', async () => {
  const { service, run, asks } = await world();
  const first = run();
  const { id } = await first.client.connections.create(inputFor(service.endpoint));
  await first.core.close();
  expect(await asks(id)).toBe(true);
  const second = run();
  const moved = service.endpoint.replace('127.0.0.1', 'localhost');
  await second.client.connections.update({ connectionId: id, input: inputFor(moved) });
  await second.core.close();
  expect(await asks(id)).toBe(true);
});

test('a limit on parts is known after a restart, until it expires', async () => {
  const { service, run, pass } = await world();
  const first = run();
  const { id } = await first.client.connections.create(inputFor(service.endpoint));
  service.faults.add({
    operation: 'PutObject',
    times: 1,
    action: { kind: 'status', status: 413, code: 'EntityTooLarge' },
  });
  const learning = await first.core.connectionClient(id);
  await learning
    .putObject({ bucket: 'papers', key: 'large', body: bytesSource('12345678') })
    .catch(() => null);
  expect(learning.partLimits.maxPartBytes(1)).toBe(4);
  await first.core.close();
  const limitNow = async (): Promise<number> => {
    const { core } = run();
    const { partLimits } = await core.connectionClient(id);
    await core.close();
    return partLimits.maxPartBytes(1);
  };
  expect(await limitNow()).toBe(4);
  pass(refusalLifetimeMs);
  expect(await limitNow()).toBe(Infinity);
});

test('a checksum that a service names is sent after a restart, until a week after it was last named', async () => {
  const service = await serviceUnderTest();
  const { run, pass, owner } = await startable(service);
  const checksums = { crc64nvme: checksumOf('crc64nvme', Buffer.from('x')) };
  await owner.putObject({ bucket: 'papers', key: 'k', body: bytesSource('x'), checksums });
  const first = run();
  const { id } = await first.client.connections.create(inputFor(service.endpoint));
  await first.core.close();
  /** Returns whether the connection knows a checksum to send, after `use` ran with its client. */
  const knows = async (use?: (client: S3Client) => Promise<unknown>): Promise<boolean> => {
    const { core } = run();
    const client = await core.connectionClient(id);
    await use?.(client);
    await core.close();
    return client.checksums.algorithm === 'crc64nvme';
  };
  expect(await knows()).toBe(false);
  expect([await knows(look), await knows()]).toEqual([true, true]);
  pass(refusalLifetimeMs - hourMs);
  expect(await knows(look)).toBe(true);
  pass(refusalLifetimeMs - hourMs);
  expect(await knows()).toBe(true);
  pass(hourMs);
  expect(await knows()).toBe(false);

  expect(await knows(look)).toBe(true);
  const { client, core } = run();
  const moved = service.endpoint.replace('127.0.0.1', 'localhost');
  await client.connections.update({ connectionId: id, input: inputFor(moved) });
  await core.close();
  expect(await knows()).toBe(false);
});
