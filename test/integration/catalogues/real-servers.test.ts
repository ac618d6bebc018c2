import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyKind } from '../../../shared/models/map.ts';
import { everyObject, type WalkStatus } from '../../../shared/models/walks.ts';
import { compareKeys } from '../../../shared/keys/paths.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { coreUnderTest, inputFor } from '../../support/core/core-under-test.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';

const bucket = 'mapped';

type Listed = readonly (readonly [key: string, sizeBytes: number])[];

/** Returns objects in nested folders, some with keys that are difficult in listings. */
const objectsOf = (count: number): Listed => [
  ...Array.from({ length: count }, (_, index): [string, number] => [
    `data/${String(index % 7)}/file ${String(index).padStart(5, '0')}.jpg`,
    index % 50,
  ]),
  ...['data', 'data0/x.log', 'data/\u{1f600}/ÿ', 'data/a+b %2F&<>', 'tail//x'].map(
    (key): [string, number] => [key, 5],
  ),
];

describe.each([
  // Enough objects for several pages of a listing.
  ['Ceph RGW', isCephInstalled(), startCeph, 1300],
  // Fewer objects, because Swift is slow to store each.
  ['OpenStack Swift', isSwiftInstalled(), startSwift, 150],
] as const)('a map of a bucket on %s (if installed)', (name, isInstalled, start, count) => {
  const objects = objectsOf(count);
  let server: RealServer;

  beforeAll(async () => {
    if (!isInstalled) return;
    server = await start();
    const client = cephClient(server);
    await client.createBucket({ bucket });
    const queue = objects.values();
    const lane = async (): Promise<void> => {
      for (const [key, sizeBytes] of queue)
        await client.putObject({ bucket, key, body: { sizeBytes, open: () => Buffer.alloc(sizeBytes, 1) } });
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    await client.close();
  }, 240_000);
  afterAll(() => {
    if (isInstalled) server.stop();
  });

  test.skipIf(!isInstalled)(
    'counts every object once, and its catalogue can be searched',
    { timeout: 60_000 },
    async () => {
      const core = coreUnderTest();
      const { accessKeyId, secretAccessKey, endpoint, region } = server;
      const { id: connectionId } = await core.client.connections.create(
        inputFor(endpoint, {
          provider: name === 'Ceph RGW' ? 'ceph' : 'custom',
          region,
          auth: { kind: 'keys', accessKeyId, secretAccessKey, sessionToken: null },
        }),
      );
      const { mapId } = await core.client.map.open({ connectionId, bucket, prefix: '', refresh: 'never' });
      for await (const { isComplete, walk } of await core.client.map.watch({ mapId })) {
        expect(walk?.error ?? null).toBeNull();
        if (isComplete) break;
      }
      const facts = await core.client.map.facts({ mapId, folder: '', filter: everyKind });
      expect(facts).toMatchObject({
        objects: objects.length,
        sizeBytes: objects.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0),
      });
      // All objects have the same owner, which the service reports.
      expect(facts.byOwner).toEqual([
        { name: expect.stringMatching(/./), objects: facts.objects, sizeBytes: facts.sizeBytes },
      ]);
      const data = objects.filter(([key]) => key.startsWith('data/'));
      const below = await core.client.map.facts({ mapId, folder: 'data/', filter: everyKind });
      expect(below.objects).toBe(data.length);
      const text = { kind: 'contains', text: '77', caseSensitive: true, in: 'name' } as const;
      const { walkId } = await core.client.walks.start({
        connectionId,
        bucket,
        prefix: '',
        query: { ...everyObject, name: text },
        fromCatalogue: true,
      });
      let last: WalkStatus | null = null;
      for await (const status of await core.client.walks.watch({ walkId })) last = status;
      expect(last?.takenAt).not.toBeNull();
      const sort = { by: 'key', descending: false } as const;
      const { rows } = await core.client.walks.read({ walkId, offset: 0, limit: 100, sort });
      expect(rows.map(({ key }) => key)).toEqual(
        objects
          .map(([key]) => key)
          .filter((key) => key.slice(key.lastIndexOf('/') + 1).includes('77'))
          .toSorted(compareKeys),
      );
    },
  );
});
