import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { compareKeys } from '../../../shared/keys/paths.ts';
import { everyObject, type WalkQuery, type WalkStatus } from '../../../shared/models/walks.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled, startCeph, type Ceph } from '../../support/servers/ceph.ts';
import { coreUnderTest, inputFor, type CoreUnderTest } from '../../support/core/core-under-test.ts';

const bucket = 'walked';

/** Folders of different sizes, a flat folder, and keys that are difficult in listings. */
const objects: readonly (readonly [key: string, sizeBytes: number])[] = [
  ...Array.from({ length: 2600 }, (_, index): [string, number] => [
    `data/${String(index % 7)}/file ${String(index).padStart(5, '0')}.txt`,
    index % 50,
  ]),
  ...Array.from({ length: 300 }, (_, index): [string, number] => [`flat/${String(index)}.jpg`, 3]),
  ...[
    'data',
    'data/',
    'data0/x',
    'data/😀/ÿ',
    'data/\u0001',
    'data/a+b %2F&<>',
    'data/ﬀ/x',
    '/lead',
    'tail//x',
  ].map((key): [string, number] => [key, 5]),
];

function below(prefix: string): typeof objects {
  return objects.filter(([key]) => key.startsWith(prefix));
}

function sizeOf(some: typeof objects): number {
  return some.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0);
}

describe.skipIf(!isCephInstalled())('walks over Ceph RGW (if installed)', () => {
  let ceph: Ceph;
  let client: S3Client;

  beforeAll(async () => {
    ceph = await startCeph();
    client = cephClient(ceph);
    await client.createBucket({ bucket });
    const queue = objects.values();
    const lane = async (): Promise<void> => {
      for (const [key, sizeBytes] of queue)
        await client.putObject({ bucket, key, body: { sizeBytes, open: () => Buffer.alloc(sizeBytes, 1) } });
    };
    await Promise.all(Array.from({ length: 16 }, lane));
  }, 240_000);
  afterAll(async () => {
    await client.close();
    ceph.stop();
  });

  async function walked(
    prefix: string,
    query: WalkQuery | null,
  ): Promise<{ readonly core: CoreUnderTest; readonly status: WalkStatus }> {
    const core = coreUnderTest();
    const { accessKeyId, secretAccessKey } = ceph;
    const { id: connectionId } = await core.client.connections.create(
      inputFor(ceph.endpoint, {
        provider: 'ceph',
        region: ceph.region,
        auth: { kind: 'keys', accessKeyId, secretAccessKey, sessionToken: null },
      }),
    );
    const { walkId } = await core.client.walks.start({ connectionId, bucket, prefix, query });
    let last: WalkStatus | null = null;
    for await (const status of await core.client.walks.watch({ walkId })) last = status;
    if (last === null) throw new Error('Nothing was watched.');
    return { core, status: last };
  }

  test.each(['', 'data/', 'data', 'flat/', 'flat/1', 'tail/', 'none/'])(
    'count and sum everything below %j to the last key',
    { timeout: 60_000 },
    async (prefix) => {
      const { status } = await walked(prefix, null);
      expect(status.error).toBeNull();
      expect(status).toMatchObject({
        state: 'done',
        isSequential: false,
        keys: below(prefix).length,
        sizeBytes: sizeOf(below(prefix)),
      });
    },
  );

  test('sum each direct subfolder', { timeout: 60_000 }, async () => {
    const { core, status } = await walked('data/', null);
    const { children } = await core.client.walks.children({
      walkId: status.walkId,
      offset: 0,
      limit: 100,
      sort: { by: 'prefix', descending: false },
    });
    expect(children.map(({ prefix }) => prefix)).toEqual(
      [...new Set(below('data/').flatMap(([key]) => /^data\/[^/]+\//u.exec(key)?.[0] ?? []))].toSorted(
        compareKeys,
      ),
    );
    for (const { prefix, keys, sizeBytes } of children)
      expect([prefix, keys, sizeBytes]).toEqual([prefix, below(prefix).length, sizeOf(below(prefix))]);
  });

  test.each([
    [
      'a part of a name',
      { ...everyObject, name: { kind: 'contains', text: '77', caseSensitive: true, in: 'name' } },
      (key: string) => key.slice(key.lastIndexOf('/') + 1).includes('77'),
    ],
    [
      'a glob',
      { ...everyObject, name: { kind: 'glob', text: '*.jpg', caseSensitive: true, in: 'name' } },
      (key: string) => key.endsWith('.jpg'),
    ],
    [
      'a regular expression over the path, and a size',
      {
        ...everyObject,
        minSizeBytes: 10,
        maxSizeBytes: 20,
        name: { kind: 'regex', text: '/[35]/file', caseSensitive: true, in: 'path' },
      },
      (key: string, size: number) => /\/[35]\/file/.test(key) && size >= 10 && size <= 20,
    ],
  ] as const)(
    'find exactly the matches of a search by %s',
    { timeout: 60_000 },
    async (_name, query, fits) => {
      const { core, status } = await walked('', query);
      const wanted = objects
        .filter(([key, size]) => fits(key, size))
        .map(([key]) => key)
        .toSorted(compareKeys);
      expect(wanted.length).toBeGreaterThan(0);
      expect(status).toMatchObject({ state: 'done', keys: objects.length, matches: wanted.length });
      const { rows } = await core.client.walks.read({
        walkId: status.walkId,
        offset: 0,
        limit: 1000,
        sort: { by: 'key', descending: false },
      });
      expect(rows.map(({ key }) => key)).toEqual(wanted);
    },
  );
});
