import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCephRig, type CephRig } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled } from '../../support/servers/ceph.ts';
import { runUntilKilled } from '../../support/core/killed-core.ts';
import { realClient } from '../../support/servers/real-client.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';
import { copyBytes, TransferRig } from '../../support/core/transfers-rig.ts';
import { keepVersions, undoLaws, undoLawsOfVersions } from '../../support/core/undo-laws.ts';
import { Chance } from '../../torture/chance.ts';

const versioned = 'with-versions';
const MiB = 1024 * 1024;

describe('undo on the sample service', () => {
  let rig: TransferRig;
  rigOfFile((started) => {
    rig = started;
  });
  beforeAll(async () => {
    await rig.client.createBucket({ bucket: versioned });
    await keepVersions(rig, versioned);
  });
  undoLaws(() => rig);
  undoLawsOfVersions(
    () => rig,
    () => versioned,
  );

  test('is offered after a restart too', async () => {
    await rig.put('old', Buffer.from('x'));
    const item = { kind: 'key', key: 'old' } as const;
    const place = { connectionId: 'c', bucket: rig.bucket };
    const { jobId } = rig.operations.rename({ ...place, item, newName: 'new', onConflict: 'ask' });
    await rig.settle(jobId ?? '');
    await rig.restart();
    const { undo } = rig.undos.state();
    expect(undo).toMatchObject({ id: jobId, kind: 'rename', name: 'old' });
    expect(await rig.settle((await rig.undos.undo(undo?.id ?? '')).jobId ?? '')).toMatchObject({
      state: 'done',
    });
    expect(await rig.keys()).toEqual(['old']);
  });

  test.each([
    ['copyObject', 10],
    ['completeMultipartUpload', copyBytes + 1],
  ] as const)(
    'knows that a copy replaced an object that appeared just before %s',
    async (operation, sizeBytes) => {
      await rig.put('a', Buffer.alloc(sizeBytes, 1));
      rig.writtenBefore(operation, 'b', Buffer.from('theirs'));
      const place = { connectionId: 'c', bucket: rig.bucket };
      const item = { kind: 'key', key: 'a' } as const;
      const { jobId } = rig.operations.rename({ ...place, item, newName: 'b', onConflict: 'ask' });
      expect(await rig.settle(jobId ?? '')).toMatchObject({ reason: 'conflicts' });
      rig.transfers.answer(jobId ?? '', [{ seq: null, action: 'overwrite' }]);
      expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done' });
      expect(rig.undos.state().undo).toMatchObject({ id: jobId, replaced: 'lost' });
    },
  );

  test('undoes the operation before a job that skipped every item', async () => {
    await rig.put('old', Buffer.from('x'));
    await rig.put('taken', Buffer.from('another'));
    const place = { connectionId: 'c', bucket: rig.bucket };
    const rename = async (key: string, newName: string): Promise<string> => {
      const item = { kind: 'key', key } as const;
      const { jobId } = rig.operations.rename({ ...place, item, newName, onConflict: 'skip' });
      return jobId ?? '';
    };
    const first = await rename('old', 'new');
    await rig.settle(first);
    const skipped = await rig.settle(await rename('new', 'taken'));
    expect(skipped).toMatchObject({ state: 'done', items: { done: 0, skipped: 1 } });
    expect(rig.undos.state().undo).toMatchObject({ id: first, isPossible: true });
    // The undone operation can still be redone after such a job, since the job changed nothing.
    await rig.settle((await rig.undos.undo(first)).jobId ?? '');
    await rig.settle(await rename('old', 'taken'));
    const { redo } = rig.undos.state();
    expect(redo).toMatchObject({ isPossible: true });
    await rig.settle((await rig.undos.undo(redo?.id ?? '')).jobId ?? '');
    expect(await rig.keys()).toEqual(['new', 'taken']);
  });
});

test.each([1, 2])(
  'a core killed with SIGKILL during an undo loses nothing and undoes everything (%i)',
  { timeout: 90_000 },
  async (seed) => {
    const chance = new Chance(seed);
    const rig = await TransferRig.start();
    try {
      const names = Array.from({ length: 24 }, (_, index) => `n${String(index)}`);
      for (const name of names) await rig.put(`a/${name}`, Buffer.from(name));
      const place = { connectionId: 'c', bucket: rig.bucket };
      const item = { kind: 'prefix', prefix: 'a/' } as const;
      const { jobId } = rig.operations.rename({ ...place, item, newName: 'b', onConflict: 'ask' });
      await rig.settle(jobId ?? '');
      const undo = (await rig.undos.undo(jobId ?? '')).jobId ?? '';
      await rig.stop();
      for (let kills = 0; kills < 2; kills += 1) {
        rig.service.faults.latencyMs = 8;
        await runUntilKilled(rig, chance.integer(0, 300));
        rig.service.faults.latencyMs = 0;
        for (const name of names) {
          const places = [await rig.object(`a/${name}`), await rig.object(`b/${name}`)];
          expect(places.map(String)).toContain(name);
        }
      }
      await rig.restart();
      expect(await rig.settle(undo)).toMatchObject({ state: 'done', items: { done: names.length } });
      expect(await rig.keys()).toEqual(names.map((name) => `a/${name}`).toSorted());
    } finally {
      await rig.close();
    }
  },
);

describe.skipIf(!isCephInstalled())('undo on Ceph RGW (if installed)', () => {
  let started: CephRig;
  beforeAll(async () => {
    started = await startCephRig();
    await started.client.createBucket({ bucket: versioned });
    await keepVersions(started.rig, versioned);
  }, 180_000);
  afterAll(async () => {
    await started.close();
  });
  beforeEach(async () => {
    await started.rig.reset();
  });
  undoLaws(() => started.rig);
  undoLawsOfVersions(
    () => started.rig,
    () => versioned,
  );
});

describe.skipIf(!isSwiftInstalled())('undo on OpenStack Swift (if installed)', () => {
  let swift: RealServer;
  let rig: TransferRig;
  beforeAll(async () => {
    swift = await startSwift();
    const client = realClient({ endpoint: swift.endpoint, region: swift.region, keys: swift });
    rig = await TransferRig.start({
      external: { client, minPartBytes: 5 * MiB, largestCopyBytes: 12 * MiB, bucketPrefix: 'undo-' },
    });
  }, 180_000);
  afterAll(async () => {
    await rig.close();
    swift.stop();
  });
  beforeEach(async () => {
    await rig.reset();
  });
  undoLaws(() => rig);
});
