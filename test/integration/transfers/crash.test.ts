import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { killAt, everyPoint, killedAtPoints } from '../../support/core/kill-at.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { type TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile(
  (started) => {
    rig = started;
  },
  { timeouts: { firstByteMs: 500, inactivityMs: 500 } },
);

const files: readonly (readonly [string, Buffer])[] = [
  ['tree/a.txt', bytesOf(3 * KiB, 1)],
  ['tree/b/empty', Buffer.alloc(0)],
  ['tree/b/large.bin', bytesOf(300 * KiB + 5, 2)],
];

test(
  'an upload killed at any point is resumed until all files are sent, overwriting none',
  { timeout: 300_000 },
  async () => {
    const wrong: string[] = [];
    const points = await killedAtPoints({ points: everyPoint(150), few: 12 }, async (point) => {
      await rig.reset();
      for (const [name, bytes] of files) rig.file(name, bytes);
      const died = await killAt(rig, point, async () => await rig.upload([`${rig.sendDir}/tree`]));
      const job = rig.uploads.jobs.job(died.jobId);
      if (job?.state !== 'done')
        wrong.push(`${String(point)}: ${JSON.stringify(job)} ${JSON.stringify(rig.items(died.jobId))}`);
      for (const [name, bytes] of files)
        if ((await rig.object(name))?.equals(bytes) !== true) wrong.push(`${String(point)}: ${name} differs`);
      return died.points;
    });
    expect(wrong).toEqual([]);
    expect(points).toBeGreaterThan(20);
  },
);

test(
  'a download killed at any point ends with complete files and no partial ones',
  { timeout: 300_000 },
  async () => {
    const wrong: string[] = [];
    const points = await killedAtPoints({ points: everyPoint(150), few: 12 }, async (point) => {
      await rig.reset();
      for (const [name, bytes] of files) await rig.put(name, bytes, { mtime: '1600000000.25' });
      const died = await killAt(rig, point, () => rig.download([{ kind: 'prefix', prefix: '' }]));
      const job = rig.uploads.jobs.job(died.jobId);
      if (job?.state !== 'done')
        wrong.push(`${String(point)}: ${JSON.stringify(job)} ${JSON.stringify(rig.items(died.jobId))}`);
      const tree = treeOf(rig.fetchDir);
      for (const [name, bytes] of files)
        if (tree.get(name)?.bytes?.equals(bytes) !== true) wrong.push(`${String(point)}: ${name} differs`);
      if (tree.size !== files.length) wrong.push(`${String(point)}: ${[...tree.keys()].join(', ')}`);
      return died.points;
    });
    expect(wrong).toEqual([]);
    expect(points).toBeGreaterThan(10);
    expect(readdirSync(rig.fetchDir)).toEqual(['tree']);
  },
);
