import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { everyKind, type MapStatus } from '../../../shared/models/map.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import {
  coreUnderTest,
  inputFor,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';
import { makeReport, type MadeReport, type MadeRow } from '../../support/files/inventory-report.ts';
import type { Service } from '../../support/lab-service/server.ts';

const source = 'far-away';
const reports = 'reports';

interface Rig extends CoreUnderTest {
  readonly service: Service;
  readonly connectionId: string;
}

async function rig(): Promise<Rig> {
  const service = await serviceUnderTest();
  service.store.buckets.create(reports, 0);
  service.store.buckets.create(source, 0);
  const core = coreUnderTest({});
  const { id } = await core.client.connections.create(inputFor(service.endpoint));
  return { ...core, service, connectionId: id };
}

function store({ service }: Rig, { objects }: Pick<MadeReport, 'objects'>): void {
  service.store.putObjects(
    service.store.buckets.get(reports)?.id ?? 0,
    Object.entries(objects).map(([key, bytes]) => [
      key,
      smallObject(bytes, { modifiedMs: Date.UTC(2026, 0, 1) }),
    ]),
  );
}

async function settled(core: Rig, mapId: string): Promise<MapStatus> {
  for await (const status of await core.client.map.watch({ mapId }))
    if (status.walk !== null && status.walk.state !== 'running' && (status.isComplete || status.walk.error))
      return status;
  throw new Error('The map was closed.');
}

async function read(core: Rig, { manifestKey }: MadeReport, prefix = ''): Promise<MapStatus> {
  const place = { connectionId: core.connectionId, bucket: reports, key: manifestKey };
  const { mapId } = await core.client.inventory.open({ ...place, prefix });
  return await settled(core, mapId);
}

const row = (key: string, sizeBytes: number): MadeRow => ({ key, sizeBytes });
const strange = 'a/ä +%"☃,\n.txt';

test.each(['CSV', 'Parquet'] as const)(
  'an inventory report in %s becomes a map and a searchable catalogue of its date',
  async (format) => {
    const core = await rig();
    const made = makeReport({
      sourceBucket: source,
      format,
      rowGroupSize: 2,
      files: [
        [row('a/1.jpg', 5), row('a/2.log', 7), row(strange, 3)],
        [row('b/3.jpg', 2), row('c.txt', 1)],
      ],
    });
    store(core, made);
    const place = { connectionId: core.connectionId, bucket: reports };
    expect(
      await core.client.inventory.reports({
        ...place,
        prefix: 'reports',
        sourceBucket: source,
        configurationId: 'daily',
      }),
    ).toEqual([{ key: made.manifestKey, takenAt: '2026-06-01T01:00:00.000Z' }]);
    expect(await core.client.inventory.look({ ...place, key: made.manifestKey })).toMatchObject({
      sourceBucket: source,
      format,
      files: 2,
      hasVersions: false,
      configurationId: 'daily',
      obstacle: null,
    });
    const status = await read(core, made);
    expect(status).toMatchObject({
      bucket: source,
      objects: 5,
      sizeBytes: 18,
      origin: 'inventory',
      takenAt: '2026-06-01T01:00:00.000Z',
      isComplete: true,
      kept: 'kept',
      walk: { state: 'done', report: { files: 2, filesRead: 2, olderVersions: 0, deleteMarkers: 0 } },
    });
    const tree = await core.client.map.tree({
      mapId: status.mapId,
      folder: '',
      filter: everyKind,
      measure: 'size',
      colouring: 'kind',
      limit: 100,
    });
    expect(tree.nodes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['a', 'b', 'c.txt', strange.slice(2)]),
    );
    const { walkId } = await core.client.walks.start({
      connectionId: core.connectionId,
      bucket: source,
      prefix: '',
      query: { ...everyObject, name: { kind: 'glob', text: '*.jpg', caseSensitive: false, in: 'name' } },
      fromCatalogue: true,
    });
    let last = null;
    for await (const event of await core.client.walks.watch({ walkId })) last = event;
    expect(last).toMatchObject({ state: 'done', matches: 2, takenAt: '2026-06-01T01:00:00.000Z' });
    // The bucket is not listed by Cooper, because a report was read for it.
    const before = core.service.faults.journal.length;
    await core.client.map.close({ mapId: status.mapId });
    const again = await core.client.map.open({
      connectionId: core.connectionId,
      bucket: source,
      prefix: '',
      refresh: 'old',
    });
    const shown = await core.client.map.watch({ mapId: again.mapId });
    for await (const event of shown) {
      expect(event).toMatchObject({ source: 'catalogue', origin: 'inventory', objects: 5 });
      break;
    }
    expect(core.service.faults.journal.length).toBe(before);
  },
);

test.each(['CSV', 'Parquet'] as const)(
  'a large data file in %s is read to its end over several chunks',
  { timeout: 60_000 },
  async (format) => {
    const core = await rig();
    const many = Array.from({ length: 40_000 }, (_, at) => ({
      key: `k/${String(at).padStart(6, '0')}`,
      sizeBytes: 1,
      // Incompressible, so that the report is large.
      etag: createHash('md5').update(String(at)).digest('hex'),
    }));
    const made = makeReport({ sourceBucket: source, format, files: [many] });
    expect(Math.max(...Object.values(made.objects).map((bytes) => bytes.byteLength))).toBeGreaterThan(
      900_000,
    );
    store(core, made);
    expect(await read(core, made)).toMatchObject({ objects: 40_000, sizeBytes: 40_000, kept: 'kept' });
  },
);

test.each(['CSV', 'Parquet'] as const)(
  'an inventory report of versions in %s maps only the current objects',
  async (format) => {
    const core = await rig();
    const made = makeReport({
      sourceBucket: source,
      format,
      versions: true,
      files: [
        [
          { key: 'a', sizeBytes: 4, versionId: '2', isLatest: true },
          { key: 'a', sizeBytes: 9, versionId: '1', isLatest: false },
          { key: 'gone', sizeBytes: null, versionId: '4', isLatest: true, isDeleteMarker: true },
          { key: 'gone', sizeBytes: 6, versionId: '3', isLatest: false },
        ],
      ],
    });
    store(core, made);
    const status = await read(core, made);
    expect(status).toMatchObject({ objects: 1, sizeBytes: 4, isComplete: true });
    expect(status.walk?.report).toMatchObject({ olderVersions: 2, olderBytes: 15, deleteMarkers: 1 });
  },
);

test('overlapping files and unsorted rows of a report are sorted into the catalogue', async () => {
  const core = await rig();
  const made = makeReport({
    sourceBucket: source,
    files: [
      [row('d', 1), row('b', 1)],
      [row('c', 1), row('a', 1)],
    ],
  });
  store(core, made);
  const status = await read(core, made);
  expect(status).toMatchObject({ objects: 4, kept: 'kept' });
  const { walkId } = await core.client.walks.start({
    connectionId: core.connectionId,
    bucket: source,
    prefix: '',
    query: everyObject,
    fromCatalogue: true,
  });
  for await (const event of await core.client.walks.watch({ walkId })) void event;
  const found = await core.client.walks.read({
    walkId,
    offset: 0,
    limit: 9,
    sort: { by: 'found', descending: false },
  });
  expect(found.rows.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd']);
});

const repeated: readonly (readonly [string, readonly (readonly ReturnType<typeof row>[])[]])[] = [
  [
    'in overlapping files',
    [
      [row('a', 1), row('f/b', 2), row('f/c', 3)],
      [row('f/b', 2), row('f/c', 3), row('z', 4)],
    ],
  ],
  [
    'in a file in the order of keys',
    [[row('a', 1), row('f/b', 2), row('f/b', 2), row('f/c', 3), row('z', 4)]],
  ],
  [
    'far apart and unsorted',
    [
      [row('z', 4), row('f/b', 2), row('a', 1)],
      [row('a', 1), row('f/c', 3), row('z', 4)],
    ],
  ],
];

test.each(repeated)('a key that a report lists twice (%s) counts once', async (_where, files) => {
  const core = await rig();
  const made = makeReport({ sourceBucket: source, files: files.map((file) => [...file]) });
  store(core, made);
  const status = await read(core, made);
  expect(status).toMatchObject({ objects: 4, sizeBytes: 10, kept: 'kept', isComplete: true });
  const { mapId } = status;
  const noFilter = { kinds: null, storageClasses: null, ages: null };
  const held = await core.client.map.holdings({ mapId, folder: 'f/', filter: noFilter, smallest: [] });
  expect(held.map(({ objects, sizeBytes }) => [objects, sizeBytes])).toEqual([[2, 5]]);
});

test.each(repeated)(
  'a key listed twice (%s) counts once without a catalogue, and no temporary file stays',
  async (_where, files) => {
    const core = await rig();
    await core.client.settings.update({ catalogueLimitBytes: 0 });
    const made = makeReport({ sourceBucket: source, files: files.map((file) => [...file]) });
    store(core, made);
    expect(await read(core, made)).toMatchObject({
      objects: 4,
      sizeBytes: 10,
      kept: 'off',
      isComplete: true,
    });
    expect(await core.client.map.usage()).toMatchObject({ catalogues: 0, fileBytes: 0 });
    const dir = path.join(core.dataDir, 'catalogues');
    expect(readdirSync(dir).filter((name) => name.endsWith('.part'))).toEqual([]);
  },
);

const damages: readonly (readonly [string, (made: MadeReport) => MadeReport, string])[] = [
  [
    'a missing data file',
    ({ objects, ...made }) => ({
      ...made,
      objects: Object.fromEntries(Object.entries(objects).filter(([key]) => !key.includes('part-1'))),
    }),
    'inventory-missing',
  ],
  [
    'an altered data file',
    ({ objects, ...made }) => ({
      ...made,
      objects: Object.fromEntries(
        Object.entries(objects).map(([key, bytes]) => {
          if (!key.includes('part-1')) return [key, bytes];
          const changed = Buffer.from(bytes);
          // Changes the time in gzip's header, which leaves the content unchanged.
          changed[4] = (changed[4] ?? 0) ^ 1;
          return [key, changed];
        }),
      ),
    }),
    'inventory-damaged',
  ],
  [
    'a truncated data file',
    ({ objects, ...made }) => ({
      ...made,
      objects: Object.fromEntries(
        Object.entries(objects).map(([key, bytes]) => [
          key,
          key.includes('part-1') ? bytes.subarray(0, bytes.length - 9) : bytes,
        ]),
      ),
    }),
    'inventory-damaged',
  ],
];

test.each(damages)('a report with %s is refused completely', async (_what, damage, reason) => {
  const core = await rig();
  const files = [[row('a/1', 5)], [row('b/2', 7)]];
  const made = makeReport({ sourceBucket: source, files });
  store(core, damage(made));
  const status = await read(core, made);
  expect(status).toMatchObject({
    objects: 0,
    isComplete: false,
    walk: { state: 'failed', error: { reason } },
  });
  const { catalogues } = await core.client.map.list({ connectionId: core.connectionId, bucket: source });
  expect(catalogues).toEqual([]);
});

test("rows of another bucket or outside the report's prefix mean a damaged report", async () => {
  const core = await rig();
  const made = makeReport({ sourceBucket: source, files: [[row('a/1', 5), row('b/2', 7)]] });
  store(core, made);
  expect(await read(core, made, 'a/')).toMatchObject({ walk: { error: { reason: 'inventory-damaged' } } });
});

test('a manifest with a wrong or missing checksum, or in ORC, is refused with its reason', async () => {
  const core = await rig();
  const made = makeReport({ sourceBucket: source, files: [[row('a', 1)]] });
  const checksum = made.manifestKey.replace('.json', '.checksum');
  const place = { connectionId: core.connectionId, bucket: reports, key: made.manifestKey, prefix: '' };
  const reasonOf = async (): Promise<string | undefined> => {
    try {
      await core.client.inventory.open(place);
      return 'opened';
    } catch (thrown) {
      const { data } = thrown as { data?: { reason?: string } };
      return data?.reason ?? (thrown instanceof AppFailure ? thrown.error.reason : String(thrown));
    }
  };
  store(core, { objects: { ...made.objects, [checksum]: Buffer.from('0'.repeat(32)) } });
  expect(await reasonOf()).toBe('inventory-damaged');
  core.service.store.deleteObject(core.service.store.buckets.get(reports)?.id ?? 0, checksum);
  expect(await reasonOf()).toBe('inventory-unfinished');
  const orc = makeReport({ sourceBucket: source, format: 'ORC', files: [] });
  store(core, orc);
  expect(await core.client.inventory.look(place)).toMatchObject({ format: 'ORC', obstacle: 'orc' });
  expect(await reasonOf()).toBe('inventory-orc');
});

test("a report of part of a folder is shown but not kept as the folder's catalogue", async () => {
  const core = await rig();
  const made = makeReport({ sourceBucket: source, files: [[row('logs/2024-1', 5)]] });
  store(core, made);
  const place = { connectionId: core.connectionId, bucket: reports, key: made.manifestKey };
  const { mapId, prefix } = await core.client.inventory.open({ ...place, prefix: 'logs/2024' });
  expect(prefix).toBe('logs/');
  for await (const status of await core.client.map.watch({ mapId })) {
    if (status.walk?.state !== 'done' || status.objects === 0) continue;
    expect(status).toMatchObject({ objects: 1, isComplete: false, kept: 'off' });
    break;
  }
  const { catalogues } = await core.client.map.list({ connectionId: core.connectionId, bucket: source });
  expect(catalogues).toEqual([]);
});

test('files below a doubled slash that the manifest collapses are found beside it', async () => {
  const core = await rig();
  const made = makeReport({ sourceBucket: source, files: [[row('a', 1)]] });
  const moved = Object.fromEntries(
    Object.entries(made.objects).map(([key, bytes]) => [key.replace('reports/', 'reports//'), bytes]),
  );
  store(core, { objects: moved });
  const status = await read(core, {
    ...made,
    manifestKey: made.manifestKey.replace('reports/', 'reports//'),
  });
  expect(status).toMatchObject({ objects: 1, isComplete: true });
});

test('a report that is older than a walk is shown, and the walk stays the newest data everywhere else', async () => {
  const core = await rig();
  const id = core.service.store.buckets.get(source)?.id ?? 0;
  core.service.store.putObjects(id, [
    ['a/now', smallObject(Buffer.alloc(9), { modifiedMs: Date.UTC(2026, 0, 1) })],
  ]);
  const place = { connectionId: core.connectionId, bucket: source, prefix: '' };
  const { mapId } = await core.client.map.open({ ...place, refresh: 'never' });
  const { takenAt } = await settled(core, mapId);
  const made = makeReport({
    sourceBucket: source,
    atMs: Date.UTC(2023, 4, 1),
    files: [[row('a/1', 5), row('a/2', 7), row('b/3', 2)]],
  });
  store(core, made);
  expect(await read(core, made)).toMatchObject({ objects: 3, takenAt: '2023-05-01T00:00:00.000Z' });

  expect(await core.client.map.sizes({ ...place, folders: ['a/', 'b/'] })).toEqual({
    takenAt,
    sums: [{ objects: 1, sizeBytes: 9 }, null],
  });
  expect(await core.client.map.totals({ connectionId: core.connectionId })).toContainEqual({
    bucket: source,
    takenAt,
    objects: 1,
    sizeBytes: 9,
  });
  const again = await core.client.map.open({ ...place, refresh: 'never' });
  expect(await settled(core, again.mapId)).toMatchObject({ objects: 1, takenAt });
  const search = { ...place, query: everyObject, fromCatalogue: true };
  const { walkId } = await core.client.walks.start(search);
  let last = null;
  for await (const status of await core.client.walks.watch({ walkId })) last = status;
  expect(last).toMatchObject({ keys: 1, takenAt });
});
