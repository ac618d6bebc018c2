import { expect, test } from 'vitest';
import { runUntilKilled } from '../../support/core/killed-core.ts';
import { copyBytes, TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';
import { Chance } from '../../torture/chance.ts';

test.each([
  ...sampleOf([1, 2], 1).map((seed) => [seed, 'c'] as const),
  ...sampleOf([3, 4], 1).map((seed) => [seed, 'other'] as const),
])(
  'a core killed with SIGKILL during a move loses nothing and moves everything (%i, to %s)',
  { timeout: 90_000 },
  async (seed, connectionId) => {
    const chance = new Chance(seed);
    const rig = await TransferRig.start();
    try {
      const objects = new Map(
        Array.from({ length: 30 }, (_, index) => [
          `n${index}`,
          bytesOf(index % 10 === 0 ? 3 * copyBytes + index : 500 + index, seed * 100 + index),
        ]),
      );
      for (const [name, bytes] of objects) await rig.put(`a/${name}`, bytes);
      await rig.put('ab', bytesOf(3, 1));
      const { jobId } = rig.operations.copy({
        from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
        items: [{ kind: 'prefix', prefix: 'a/' }],
        to: { connectionId, bucket: rig.otherBucket, prefix: 'to/' },
        options: { onConflict: 'ask', isMove: true },
      });
      await rig.stop();
      for (let kills = 0; kills < 3; kills += 1) {
        // Slow enough that the process is killed during its work.
        rig.service.faults.latencyMs = 8;
        await runUntilKilled(rig, chance.integer(0, 400));
        rig.service.faults.latencyMs = 0;
        // Whenever the process was killed, each object exists complete at its source or target.
        for (const [name, bytes] of objects) {
          const places = [await rig.object(`a/${name}`), await rig.object(`to/a/${name}`, rig.otherBucket)];
          expect(places.some((found) => found?.equals(bytes) === true)).toBe(true);
        }
      }
      await rig.restart();
      expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done', outcome: 'moved' });
      expect(await rig.keys()).toEqual(['ab']);
      expect(await rig.keys(rig.otherBucket)).toHaveLength(objects.size);
      for (const [name, bytes] of objects)
        expect((await rig.object(`to/a/${name}`, rig.otherBucket))?.equals(bytes)).toBe(true);
    } finally {
      await rig.close();
    }
  },
);

test.each(sampleOf([1, 2], 1))(
  'a core killed with SIGKILL during a deletion deletes exactly what was chosen (%i)',
  { timeout: 60_000 },
  async (seed) => {
    const chance = new Chance(seed);
    const rig = await TransferRig.start();
    try {
      for (let index = 0; index < 60; index += 1) {
        await rig.put(`a/\u0001${index}`, Buffer.alloc(1));
        await rig.put(`a${index}`, Buffer.alloc(1));
      }
      const place = { connectionId: 'c', bucket: rig.bucket };
      const { jobId } = rig.operations.delete(place, [{ kind: 'prefix', prefix: 'a/' }], 'markers');
      await rig.stop();
      rig.service.faults.latencyMs = 10;
      for (let kills = 0; kills < 2; kills += 1) await runUntilKilled(rig, chance.integer(0, 120));
      await rig.restart();
      rig.service.faults.latencyMs = 0;
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'deleted' });
      const left = await rig.keys();
      expect(left).toHaveLength(60);
      expect(left.every((key) => !key.startsWith('a/'))).toBe(true);
    } finally {
      await rig.close();
    }
  },
);
