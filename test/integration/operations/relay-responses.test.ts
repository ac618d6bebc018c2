import { afterEach, expect, onTestFinished, test } from 'vitest';
import { startFaultProxy, type ProxyFault } from '../../support/servers/fault-proxy.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, rigKeys, rushingDeps } from '../../support/core/uploads-rig.ts';

/** Tests copies and moves from a service whose responses to GET differ from S3's, to another service. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

async function through(...habits: readonly ProxyFault[]) {
  const proxy = await startFaultProxy(rig.service.endpoint);
  const client = realClient({ endpoint: proxy.endpoint, keys: rigKeys }, rushingDeps(rig.clock, undefined));
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
  });
  for (const action of habits) proxy.habits.add({ operation: 'GetObject', times: Infinity, action });
  rig.wrapClient = () => client;
  await rig.restart();
  return proxy;
}

const sizes = [0, 10, 300 * KiB, 3 * copyBytes + 5];
const habits: readonly (readonly [string, readonly ProxyFault[]])[] = [
  ['omits the length of responses', [{ kind: 'no-length' }]],
  ['ignores ranges', [{ kind: 'ignore-range' }]],
];

test.each(habits)('a relay from a service that %s copies each object completely', async (_what, actions) => {
  for (const size of sizes) await rig.put(`a/${size}`, bytesOf(size, size + 1));
  const proxy = await through(...actions);
  expect(await rig.settle(rig.copyToOtherBucket(true, 'other'))).toMatchObject({
    state: 'done',
    outcome: 'moved',
  });
  for (const size of sizes)
    expect((await rig.object(`b/${size}`, rig.otherBucket))?.equals(bytesOf(size, size + 1))).toBe(true);
  expect(await rig.keys()).toEqual([]);
  expect(proxy.played.get(actions[0]?.kind ?? 'lost')).toBeGreaterThan(0);
});

test('if ranges are ignored, a relay reads an object with one GET instead of one per part', async () => {
  const bytes = bytesOf(20 * copyBytes + 5, 1);
  await rig.put('a/large', bytes);
  const proxy = await through({ kind: 'ignore-range' });
  expect(await rig.settle(rig.copyToOtherBucket(true, 'other'))).toMatchObject({ state: 'done' });
  expect((await rig.object('b/large', rig.otherBucket))?.equals(bytes)).toBe(true);
  // Requests that were already in flight also ignored their ranges, and the last byte of the copy is read as well.
  expect(proxy.played.get('ignore-range')).toBeLessThanOrEqual(6);
});

test('bytes damaged on their way are never accepted as a copy, also if ranges are ignored', async () => {
  const bytes = bytesOf(3 * copyBytes + 5, 1);
  await rig.put('a/large', bytes);
  const proxy = await through({ kind: 'ignore-range' });
  proxy.faults.add({
    operation: 'GetObject',
    times: Infinity,
    action: { kind: 'damage', atByte: copyBytes + 9 },
  });
  expect(await rig.settle(rig.copyToOtherBucket(true, 'other'))).toMatchObject({ state: 'needs-attention' });
  expect((await rig.object('a/large'))?.equals(bytes)).toBe(true);
  expect(await rig.object('b/large', rig.otherBucket)).toBeNull();
});
