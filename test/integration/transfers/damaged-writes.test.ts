import { afterEach, describe, expect, test } from 'vitest';
import { damagingClient, type Damage, type Damaging } from '../../support/core/damaging-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, smallestPart } from '../../support/core/uploads-rig.ts';

/** Tests uploads whose bodies are damaged on the way, where only the service's response can reveal the damage. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

function damage(kind: Damage, left: number): Damaging {
  const plan: Damaging = { damage: kind, left, damaged: 0 };
  rig.wrapClient = (client) => damagingClient(client, plan);
  return plan;
}

const kinds: readonly Damage[] = ['flips one bit', 'cuts the last byte'];
const sizes: readonly (readonly [string, number])[] = [
  ['a small file', 5 * KiB],
  ['a file in parts', 20 * smallestPart + 5],
];

describe.each(kinds)('with a proxy that %s,', (kind) => {
  test.each(sizes)('%s is sent again until the stored bytes are intact', async (_what, sizeBytes) => {
    const bytes = bytesOf(sizeBytes, 1);
    const plan = damage(kind, 2);
    const job = await rig.settle(await rig.upload([rig.file('a.bin', bytes)]));
    expect(job).toMatchObject({ state: 'done' });
    expect(plan.damaged).toBe(2);
    expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', verified: true, note: null }]);
  });

  test.each(sizes)('%s that is damaged each time is never called done', async (_what, sizeBytes) => {
    const bytes = bytesOf(sizeBytes, 1);
    const plan = damage(kind, Infinity);
    const job = await rig.settle(await rig.upload([rig.file('a.bin', bytes)]));
    expect(job).toMatchObject({ state: 'needs-attention' });
    expect(rig.items(job.id)).toMatchObject([{ state: 'failed', error: { code: 'damaged' } }]);
    expect(plan.damaged).toBeLessThan(100);

    plan.left = 0;
    rig.transfers.retryFailed(job.id);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
    expect(rig.items(job.id)).toMatchObject([{ verified: true }]);
  });
});

test('60 small files of which some are damaged all arrive intact', async () => {
  const files = Array.from({ length: 60 }, (_, index) => bytesOf(2000 + index, index + 1));
  const plan = damage('flips one bit', 9);
  const paths = files.map((bytes, index) => rig.file(`many/${index}`, bytes));
  const job = await rig.settle(await rig.upload(paths));
  expect(job).toMatchObject({ state: 'done' });
  expect(plan.damaged).toBe(9);
  for (const [index, bytes] of files.entries())
    expect((await rig.object(String(index)))?.equals(bytes)).toBe(true);
});

test('a damaged PUT over an object being replaced is sent again', async () => {
  await rig.put('a.bin', bytesOf(100, 9));
  const bytes = bytesOf(5 * KiB, 1);
  damage('flips one bit', 1);
  const job = await rig.settle(await rig.upload([rig.file('a.bin', bytes)], { onConflict: 'overwrite' }));
  expect(job).toMatchObject({ state: 'done' });
  expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
});

test('an object written by others over a damaged PUT is not replaced', async () => {
  const bytes = bytesOf(5 * KiB, 1);
  const others = bytesOf(700, 7);
  const plan: Damaging = { damage: 'flips one bit', left: 1, damaged: 0 };
  rig.wrapClient = (client) => {
    const damaging = damagingClient(client, plan);
    return {
      ...damaging,
      putObject: async (input, options) => {
        const isFirst = plan.left === 1;
        const reply = await damaging.putObject(input, options);
        if (isFirst) await rig.put('a.bin', others);
        return reply;
      },
    };
  };
  const job = await rig.settle(await rig.upload([rig.file('a.bin', bytes)], { onConflict: 'skip' }));
  expect(rig.items(job.id)).toMatchObject([{ state: 'skipped' }]);
  expect((await rig.object('a.bin'))?.equals(others)).toBe(true);
});

test('ETags that only look like MD5s are detected by reading the first object back', async () => {
  rig.service.quirks.etags = 'opaque';
  const files = [1, 2, 3].map((seed) => bytesOf(3000, seed));
  const job = await rig.settle(await rig.upload(files.map((bytes, index) => rig.file(`${index}`, bytes))));
  expect(job).toMatchObject({ state: 'done' });
  expect(rig.service.faults.count('PutObject')).toBe(3);
  for (const [index, bytes] of files.entries())
    expect((await rig.object(String(index)))?.equals(bytes)).toBe(true);
});
