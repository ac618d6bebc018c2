import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damagingClient, type Damaging } from '../../support/core/damaging-client.ts';
import { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { realClient } from '../../support/servers/real-client.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';

const MiB = 1024 * KiB;

/** Tests writes whose bodies are damaged on the way to a real server, which gets no digest to notice it. */
const servers = [
  {
    name: 'Ceph RGW',
    isInstalled: isCephInstalled,
    start: () => startCeph(),
    client: (server: RealServer) => cephClient(server),
  },
  {
    name: 'OpenStack Swift',
    isInstalled: isSwiftInstalled,
    start: () => startSwift(),
    client: (server: RealServer) =>
      realClient({ endpoint: server.endpoint, region: server.region, keys: server }),
  },
];

const sizes: readonly (readonly [string, number])[] = [
  ['5 kB', 5000],
  ['3 MiB', 3 * MiB],
  ['40 MiB', 40 * MiB],
];

for (const server of servers)
  describe.skipIf(!server.isInstalled())(`damaged writes to ${server.name} (if installed)`, () => {
    let rig: TransferRig;

    beforeAll(async () => {
      const running = await server.start();
      rig = await TransferRig.start({
        external: {
          client: server.client(running),
          minPartBytes: 5 * MiB,
          largestCopyBytes: 12 * MiB,
          bucketPrefix: 'damaged-',
        },
      });
    }, 180_000);
    afterAll(async () => {
      await rig.close();
    });

    async function damaging(left: number): Promise<Damaging> {
      await rig.reset();
      const plan: Damaging = { damage: 'flips one bit', left, damaged: 0 };
      rig.wrapClient = (client) => damagingClient(client, plan);
      await rig.restart();
      return plan;
    }

    test.each(sizes)(
      'resend a moved object of %s until it is intact',
      { timeout: 120_000 },
      async (_size, size) => {
        const plan = await damaging(2);
        const bytes = bytesOf(size, 1);
        await rig.put('a/x', bytes);
        const jobId = rig.copyToOtherBucket(true, 'other');
        expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
        expect(plan.damaged).toBe(2);
        expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
        expect(rig.items(jobId)).toMatchObject([{ verified: true }]);
      },
    );

    test.each(sizes)(
      'keep the source of a move of %s that is damaged each time',
      { timeout: 120_000 },
      async (_size, size) => {
        await damaging(Infinity);
        const bytes = bytesOf(size, 1);
        await rig.put('a/x', bytes);
        expect(await rig.settle(rig.copyToOtherBucket(true, 'other'))).toMatchObject({
          state: 'needs-attention',
        });
        expect((await rig.object('a/x'))?.equals(bytes)).toBe(true);
      },
    );

    test.each(sizes)(
      'resend an upload of %s until it is intact',
      { timeout: 120_000 },
      async (_size, size) => {
        await damaging(2);
        const bytes = bytesOf(size, 1);
        const jobId = await rig.upload([rig.file('x', bytes)], { multipartFromBytes: 8 * MiB });
        expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
        expect((await rig.object('x'))?.equals(bytes)).toBe(true);
        expect(rig.items(jobId)).toMatchObject([{ verified: true }]);
      },
    );
  });
