import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killAt } from '../../support/core/kill-at.ts';
import { makePlan } from '../../support/core/sync-rig.ts';
import { TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';
import { conditionQuirks } from '../../torture/condition-quirks.ts';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start({ timeouts: { firstByteMs: 500, inactivityMs: 500 } });
});
afterAll(async () => {
  await rig.close();
});

const points = [1, 3, 5, 8, 12, 20];

/** Runs a plan with its deletions, kills the program at the nth point, and lets a new run finish the job. */
async function dieInPlan(point: number, direction: 'up' | 'down', folder: string): Promise<void> {
  const { jobId } = await killAt(rig, point, async () => {
    const plan = await makePlan(rig, direction, folder, 'p/');
    const { jobIds } = await rig.syncs.run(plan.planId, true, plan.status.counts.delete.items);
    return jobIds[0] ?? '';
  });
  expect(rig.uploads.jobs.job(jobId)?.state, `point ${String(point)}`).toBe('done');
}

/** The names of service quirks about conditions; '' for none. */
const names = ['', ...Object.keys(conditionQuirks)];

test.each(names)(
  'a sync up killed at any point is resumed until both sides are equal %s',
  async (name) => {
    for (const point of sampleOf(points, 2)) {
      await rig.reset();
      Object.assign(rig.service.quirks, conditionQuirks[name] ?? {});
      for (const key of ['p/old', 'p/also/old', 'q/other']) await rig.put(key, Buffer.from(key));
      await rig.put('p/a', Buffer.from('before'));
      writeFileSync(path.join(rig.sendDir, 'a'), 'after!!');
      writeFileSync(path.join(rig.sendDir, 'large'), bytesOf(200 * KiB, 1));
      await dieInPlan(point, 'up', rig.sendDir);
      expect(await rig.keys()).toEqual(['p/a', 'p/large', 'q/other']);
      expect((await rig.object('p/a'))?.toString()).toBe('after!!');
    }
  },
  120_000,
);

test.each(names)(
  'a sync down killed at any point is resumed until both sides are equal %s',
  async (name) => {
    for (const point of sampleOf(points, 2)) {
      await rig.reset();
      Object.assign(rig.service.quirks, conditionQuirks[name] ?? {});
      await rig.put('p/a', Buffer.from('after!!'));
      await rig.put('p/large', bytesOf(200 * KiB, 1));
      mkdirSync(path.join(rig.fetchDir, 'also'));
      for (const name of ['a', 'old', 'also/old']) writeFileSync(path.join(rig.fetchDir, name), 'before');
      await dieInPlan(point, 'down', rig.fetchDir);
      expect([...treeOf(rig.fetchDir).keys()]).toEqual(['a', 'large']);
    }
  },
  120_000,
);
