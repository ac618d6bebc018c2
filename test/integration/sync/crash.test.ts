import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isResting } from '../../../electron/core/jobs/types.ts';
import { makePlan } from '../../support/sync-rig.ts';
import { TransferRig, treeOf } from '../../support/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/uploads-rig.ts';
import { Life } from '../../torture/mortal.ts';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start({ timeouts: { firstByteMs: 500, inactivityMs: 500 } });
});
afterAll(async () => {
  await rig.close();
});

const points = [1, 3, 5, 8, 12, 20];

/** Runs a plan with its deletions, dies at the nth point, and lives again to the end. */
async function dieAt(point: number, direction: 'up' | 'down', folder: string): Promise<void> {
  const plan = await makePlan(rig, direction, folder, 'p/');
  const life = new Life(point);
  let active = life;
  const { jobIds } = await rig.syncs.run(plan.planId, true, plan.status.counts.delete.items);
  const [jobId = ''] = jobIds;
  await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'pause' });
  rig.storeHooks = { onTransaction: (when) => active.storeHooks.onTransaction?.(when) };
  rig.wrapClient = (client) => active.wrap(client, () => undefined);
  await rig.restart();
  resume(jobId);
  while (!life.isOver && !isResting(rig.uploads.jobs.job(jobId)?.state ?? 'done'))
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  active = new Life(null);
  await rig.restart();
  resume(jobId);
  const job = await rig.settle(jobId);
  expect(job.state, `point ${String(point)}`).toBe('done');
}

function resume(jobId: string): void {
  try {
    rig.uploads.jobs.send(jobId, { kind: 'resume' });
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'Killed') throw thrown;
  }
}

test('a sync up that is killed at any point goes on, and both sides are alike', async () => {
  for (const point of points) {
    await rig.reset();
    for (const key of ['p/old', 'p/also/old', 'q/other']) await rig.put(key, Buffer.from(key));
    await rig.put('p/a', Buffer.from('before'));
    writeFileSync(path.join(rig.sendDir, 'a'), 'after!!');
    writeFileSync(path.join(rig.sendDir, 'large'), bytesOf(200 * KiB, 1));
    await dieAt(point, 'up', rig.sendDir);
    expect(await rig.keys()).toEqual(['p/a', 'p/large', 'q/other']);
    expect((await rig.object('p/a'))?.toString()).toBe('after!!');
  }
}, 120_000);

test('a sync down that is killed at any point goes on, and both sides are alike', async () => {
  for (const point of points) {
    await rig.reset();
    await rig.put('p/a', Buffer.from('after!!'));
    await rig.put('p/large', bytesOf(200 * KiB, 1));
    mkdirSync(path.join(rig.fetchDir, 'also'));
    for (const name of ['a', 'old', 'also/old']) writeFileSync(path.join(rig.fetchDir, name), 'before');
    await dieAt(point, 'down', rig.fetchDir);
    expect([...treeOf(rig.fetchDir).keys()]).toEqual(['a', 'large']);
  }
}, 120_000);
