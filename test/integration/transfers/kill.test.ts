import path from 'node:path';
import { expect, test } from 'vitest';
import { runUntilKilled } from '../../support/core/killed-core.ts';
import { TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';
import { Chance } from '../../torture/chance.ts';

function filesOf(seed: number): ReadonlyMap<string, Buffer> {
  const small = Array.from(
    { length: 25 },
    (_, index) => [`tree/n${index}`, bytesOf(300 + index, seed * 100 + index)] as const,
  );
  const large = ['tree/deep/one.bin', 'tree/deep/two.bin'].map(
    (name, index) => [name, bytesOf(900 * KiB + index, seed * 100 + 50 + index)] as const,
  );
  return new Map([...small, ...large, ['tree/empty', Buffer.alloc(0)]]);
}

test.each(sampleOf([1, 2], 1))(
  'a core killed with SIGKILL during an upload sends everything in the end without partial objects (%i)',
  { timeout: 90_000 },
  async (seed) => {
    const chance = new Chance(seed);
    const rig = await TransferRig.start();
    try {
      const files = filesOf(seed);
      for (const [name, bytes] of files) rig.file(name, bytes);
      const jobId = await rig.upload([path.join(rig.sendDir, 'tree')]);
      await rig.stop();
      for (let kills = 0; kills < 3; kills += 1) {
        rig.service.faults.latencyMs = 8;
        await runUntilKilled(rig, chance.integer(0, 300));
        rig.service.faults.latencyMs = 0;
        for (const key of await rig.keys())
          expect((await rig.object(key))?.equals(files.get(key) ?? Buffer.from('?'))).toBe(true);
      }
      await rig.restart();
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { failed: 0 } });
      expect([...(await rig.keys())].toSorted()).toEqual([...files.keys()].toSorted());
      for (const [key, bytes] of files) expect((await rig.object(key))?.equals(bytes)).toBe(true);
      const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
      expect(uploads).toEqual([]);
    } finally {
      await rig.close();
    }
  },
);

test.each(sampleOf([1, 2], 1))(
  'a core killed with SIGKILL during a download saves everything in the end without partial files (%i)',
  { timeout: 90_000 },
  async (seed) => {
    const chance = new Chance(seed + 10);
    const rig = await TransferRig.start();
    try {
      const files = filesOf(seed);
      for (const [key, bytes] of files) await rig.put(key, bytes, { mtime: '1234567890.5' });
      const jobId = await rig.download([{ kind: 'prefix', prefix: 'tree/' }]);
      await rig.stop();
      for (let kills = 0; kills < 3; kills += 1) {
        rig.service.faults.latencyMs = 8;
        await runUntilKilled(rig, chance.integer(0, 250));
        rig.service.faults.latencyMs = 0;
        for (const [name, { bytes }] of treeOf(rig.fetchDir)) {
          if (bytes === null || path.basename(name).startsWith('.cooper-')) continue;
          expect(files.get(name)?.equals(bytes)).toBe(true);
        }
      }
      await rig.restart();
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { failed: 0, asking: 0 } });
      const tree = treeOf(rig.fetchDir);
      expect([...tree.keys()].toSorted()).toEqual([...files.keys()].toSorted());
      for (const [name, entry] of tree) {
        expect(entry.bytes).toEqual(files.get(name));
        expect(entry.mtimeMs).toBe(1_234_567_890_500);
      }
    } finally {
      await rig.close();
    }
  },
);
