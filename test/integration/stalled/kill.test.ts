import { expect, test } from 'vitest';
import { runUntilKilled } from '../../support/core/killed-core.ts';
import { bytesOf, Rig, sha256, smallestPart } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';
import { Chance } from '../../torture/chance.ts';

test.each(sampleOf([1, 2, 3, 4], 1))(
  'a core killed with SIGKILL loses no job and no byte of an upload (%i)',
  { timeout: 60_000 },
  async (seed) => {
    const chance = new Chance(seed);
    const rig = await Rig.start();
    try {
      const bytes = bytesOf(smallestPart * 40 + 9, seed);
      const ref = await rig.begin('k', bytes, { partSize: smallestPart, parts: [2, 4, 40] });
      // Slow enough that the process is killed in its middle.
      rig.faults.latencyMs = 15;
      const file = rig.file('a.bin', bytes);
      const plan = await rig.plan(ref, file);
      const options = { parallelParts: 2, bandwidthBytesPerSecond: null, acceptUnverified: false };
      const { jobId } = rig.uploads.resume(plan.planId, options);
      await rig.stop();
      rig.faults.clear();
      rig.faults.latencyMs = 15;
      for (let kills = 0; kills < 3; kills += 1) await runUntilKilled(rig, chance.integer(0, 250));
      await rig.restart();
      const job = await rig.settle(jobId);
      expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
      expect(sha256((await rig.object('k')) ?? Buffer.alloc(0))).toBe(sha256(bytes));
      expect(rig.asked('AbortMultipartUpload')).toBe(0);
      expect(rig.sentParts().filter((part) => [2, 4, 40].includes(part))).toEqual([]);
    } finally {
      await rig.close();
    }
  },
);
