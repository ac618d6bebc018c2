import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import { everyKind, type FoundNames, type MapStatus } from '../../../shared/models/map.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { fakePorts, type FakePorts } from '../../support/core/fake-ports.ts';
import {
  coreUnderTest,
  inputFor,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';

const bucket = 'mapped';

interface Rig extends CoreUnderTest {
  readonly service: Service;
  readonly connectionId: string;
}

function put(
  service: Service,
  sizes: Readonly<Record<string, number>>,
  modifiedMs = Date.UTC(2026, 0, 1),
): void {
  service.store.putObjects(
    service.store.buckets.get(bucket)?.id ?? 0,
    Object.entries(sizes).map(([key, sizeBytes]) => [
      key,
      smallObject(Buffer.alloc(sizeBytes, 1), { modifiedMs }),
    ]),
  );
}

async function rig(sizes: Readonly<Record<string, number>>, ports?: FakePorts): Promise<Rig> {
  const service = await serviceUnderTest();
  service.store.buckets.create(bucket, 0);
  put(service, sizes);
  const core = coreUnderTest(ports === undefined ? {} : { ports });
  const { id } = await core.client.connections.create(inputFor(service.endpoint));
  return { ...core, service, connectionId: id };
}

/** Waits for a status of the map that satisfies the condition, and returns it. */
async function seen(core: Rig, mapId: string, isWanted: (status: MapStatus) => boolean): Promise<MapStatus> {
  for await (const status of await core.client.map.watch({ mapId })) if (isWanted(status)) return status;
  throw new Error('The map was closed.');
}

async function mapped(core: Rig, prefix = '', refresh: 'never' | 'always' = 'never'): Promise<MapStatus> {
  const place = { connectionId: core.connectionId, bucket, prefix };
  const { mapId } = await core.client.map.open({ ...place, refresh });
  return await seen(core, mapId, ({ isComplete, walk }) => isComplete && walk?.state !== 'running');
}

const filesOf = (core: Rig): readonly string[] => {
  const dir = path.join(core.dataDir, 'catalogues');
  return existsSync(dir) ? readdirSync(dir).filter((name) => name.includes('.catalogue')) : [];
};

test('a map shows the result of a walk, and the next one is read from the catalogue without a request', async () => {
  const core = await rig({ 'a/1.jpg': 5, 'a/b/2.log': 7, 'c.txt': 1 });
  const first = await mapped(core);
  expect(first).toMatchObject({ objects: 3, sizeBytes: 13, folders: 2, source: 'walk', kept: 'kept' });
  const request = { mapId: first.mapId, folder: '', filter: everyKind };
  const tree = await core.client.map.tree({ ...request, measure: 'size', colouring: 'kind', limit: 100 });
  expect(tree.nodes.map(({ kind, name, sizeBytes, group }) => [kind, name, sizeBytes, group])).toEqual(
    expect.arrayContaining([
      ['folder', 'a', 12, 'log'],
      ['object', '1.jpg', 5, 'image'],
      ['object', 'c.txt', 1, 'document'],
    ]),
  );
  const logs = { ...everyKind, kinds: ['log' as const] };
  expect(await core.client.map.facts({ ...request, filter: logs })).toMatchObject({
    objects: 1,
    sizeBytes: 7,
    bySize: [{ name: '16KiB', objects: 1, sizeBytes: 7 }],
    byOwner: [{ name: 'cooper', objects: 1, sizeBytes: 7 }],
  });
  await core.client.map.close({ mapId: first.mapId });
  const before = core.service.faults.journal.length;
  const again = await mapped(core, 'a/');
  expect(again).toMatchObject({ objects: 3, source: 'catalogue', prefix: '' });
  expect(core.service.faults.journal.length).toBe(before);
  const sizes = await core.client.map.sizes({
    connectionId: core.connectionId,
    bucket,
    prefix: '',
    folders: ['a/', 'nowhere/'],
  });
  expect(sizes).toEqual({ takenAt: again.takenAt, sums: [{ objects: 2, sizeBytes: 12 }, null] });
});

test('a catalogue search finds the same as a walk without a request, and shows its age', async () => {
  const core = await rig({ 'a/one.jpg': 5, 'b/two.jpg': 6, 'b/three.txt': 7 });
  const { takenAt } = await mapped(core);
  const before = core.service.faults.journal.length;
  const name = { kind: 'glob', text: '*.jpg', caseSensitive: false, in: 'name' } as const;
  const { walkId } = await core.client.walks.start({
    connectionId: core.connectionId,
    bucket,
    prefix: '',
    query: { ...everyObject, name },
    fromCatalogue: true,
  });
  let last = null;
  for await (const status of await core.client.walks.watch({ walkId })) last = status;
  expect(last).toMatchObject({ state: 'done', keys: 3, matches: 2, matchedBytes: 11, takenAt });
  const { rows } = await core.client.walks.read({
    walkId,
    offset: 0,
    limit: 9,
    sort: { by: 'key', descending: false },
  });
  expect(rows.map(({ key }) => key)).toEqual(['a/one.jpg', 'b/two.jpg']);
  expect(core.service.faults.journal.length).toBe(before);
});

async function downloaded(core: Rig, path: string): Promise<string> {
  const response = await core.core.bytes.handle({ method: 'GET', path, headers: {} });
  const chunks: Buffer[] = [];
  for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

test('the export of a search of a catalogue, which keeps no ETags, has no column for them', async () => {
  const core = await rig({ 'a/1': 5, 'a/ü': 7 });
  await mapped(core);
  const search = { connectionId: core.connectionId, bucket, prefix: '', query: everyObject };
  const heads: Record<string, string> = {};
  for (const fromCatalogue of [true, false]) {
    const { walkId } = await core.client.walks.start({ ...search, fromCatalogue });
    let last = null;
    for await (const status of await core.client.walks.watch({ walkId })) last = status;
    expect([last?.state, last?.takenAt !== null]).toEqual(['done', fromCatalogue]);
    for (const format of ['csv', 'csv-bom', 'json'] as const) {
      const sort = { by: 'key', descending: false } as const;
      const made = await core.client.walks.export({ walkId, format, sort, title: 'Export' });
      if (made.kind !== 'download') throw new Error(made.kind);
      const text = await downloaded(core, made.path);
      expect(made.fileName).toBe(format === 'json' ? 'mapped.json' : 'mapped.csv');
      expect(text).toContain('a/ü');
      expect(text.startsWith('\ufeff')).toBe(format === 'csv-bom');
      heads[`${format} ${fromCatalogue ? 'catalogue' : 'service'}`] =
        format === 'json'
          ? Object.keys((JSON.parse(text) as object[])[0] ?? {}).join()
          : (text.split('\r\n')[0] ?? '');
    }
  }
  const columns = 'Key,Size in bytes,Last modified,Storage class';
  expect(heads).toEqual({
    'csv catalogue': columns,
    'csv-bom catalogue': `\ufeff${columns}`,
    'json catalogue': 'key,sizeBytes,lastModified,storageClass',
    'csv service': `${columns},ETag`,
    'csv-bom service': `\ufeff${columns},ETag`,
    'json service': 'key,sizeBytes,lastModified,storageClass,etag',
  });
});

test('objects dated 1970-01-01T00:00:00 are found by that time, both by the service and in a catalogue', async () => {
  const core = await rig({});
  put(core.service, { first: 1 }, 0);
  put(core.service, { later: 1 }, 2000);
  await mapped(core);
  const times = [
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z', ['first']],
    ['1970-01-01T00:00:00Z', null, ['first', 'later']],
    [null, '1970-01-01T00:00:01Z', ['first']],
    ['1970-01-01T00:00:01Z', null, ['later']],
    [null, '1970-01-01T00:00:00Z', []],
  ] as const;
  for (const [modifiedFrom, modifiedBefore, expected] of times)
    for (const fromCatalogue of [true, false]) {
      const query = { ...everyObject, modifiedFrom, modifiedBefore };
      const search = { connectionId: core.connectionId, bucket, prefix: '', query };
      const { walkId } = await core.client.walks.start({ ...search, fromCatalogue });
      let last = null;
      for await (const status of await core.client.walks.watch({ walkId })) last = status;
      expect(last).toMatchObject({ state: 'done' });
      const sort = { by: 'key', descending: false } as const;
      const { rows } = await core.client.walks.read({ walkId, offset: 0, limit: 10, sort });
      expect(rows.map(({ key }) => key)).toEqual(expected);
      for (const { key, lastModified } of rows)
        expect(lastModified).toBe(`1970-01-01T00:00:0${key === 'first' ? 0 : 2}.000Z`);
    }
});

test('two walks show what was added, removed and grew, and the first stays until the second is complete', async () => {
  const core = await rig({ 'a/1': 5, 'a/2': 5, 'b/3': 5 });
  await mapped(core);
  put(core.service, { 'a/1': 9, 'c/new': 4 });
  core.service.store.deleteObject(core.service.store.buckets.get(bucket)?.id ?? 0, 'b/3');
  const second = await mapped(core, '', 'always');
  expect(second).toMatchObject({ objects: 3, sizeBytes: 18 });
  const { catalogues, growth } = await core.client.map.list({ connectionId: core.connectionId, bucket });
  expect(growth.map(({ sizeBytes }) => sizeBytes)).toEqual([15, 18]);
  expect(await core.client.map.totals({ connectionId: core.connectionId })).toEqual([
    { bucket, takenAt: expect.any(String), objects: 3, sizeBytes: 18 },
  ]);
  const [after, before] = catalogues;
  const changes = await core.client.map.changes({
    connectionId: core.connectionId,
    bucket,
    folder: '',
    beforeId: before?.catalogueId ?? '',
    afterId: after?.catalogueId ?? '',
  });
  expect(changes.total).toEqual({
    addedObjects: 1,
    addedBytes: 4,
    removedObjects: 1,
    removedBytes: 5,
    changedObjects: 1,
    changedBytes: 4,
  });
  expect(changes.folders.map(({ name }) => name)).toEqual(['b', 'a', 'c']);
});

test('nothing is stored if the settings keep no catalogues, and stored ones are removed', async () => {
  const core = await rig({ a: 1 });
  await mapped(core);
  expect(filesOf(core)).toHaveLength(1);
  await core.client.settings.update({ catalogueLimitBytes: 0 });
  await expect.poll(() => filesOf(core)).toEqual([]);
  const place = { connectionId: core.connectionId, bucket, prefix: '', refresh: 'always' } as const;
  const { mapId } = await core.client.map.open(place);
  const status = await seen(core, mapId, ({ kept, walk }) => kept === 'off' && walk?.state === 'done');
  expect(status).toMatchObject({ isComplete: true, objects: 1 });
  expect(filesOf(core)).toEqual([]);
  expect(await core.client.map.duplicates({ mapId, folder: '' })).toEqual({ kind: 'no-catalogue' });
});

test('catalogues are removed with their connection', async () => {
  const core = await rig({ a: 1 });
  await mapped(core);
  await core.client.connections.remove({ connectionId: core.connectionId });
  await expect.poll(() => filesOf(core)).toEqual([]);
});

test('a denied walk reports the error and keeps the previous catalogue', async () => {
  const core = await rig({ a: 1 });
  const first = await mapped(core);
  core.service.faults.add({
    operation: 'ListObjectsV2',
    bucket,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied', message: 'Not you.' },
  });
  const place = { connectionId: core.connectionId, bucket, prefix: '', refresh: 'always' } as const;
  const { mapId } = await core.client.map.open(place);
  const failed = await seen(core, mapId, ({ walk }) => walk?.state === 'failed');
  expect(failed).toMatchObject({ isComplete: true, objects: 1, takenAt: first.takenAt });
  expect(failed.walk?.error?.code).toBe('access-denied');
  expect(filesOf(core)).toHaveLength(1);
});

test('the sums of all folders are exported, and a folder name that is a formula is escaped', async () => {
  const core = await rig({ '=1+1/x': 5, 'a/y': 2 });
  const { mapId } = await mapped(core);
  const made = await core.client.map.export({ mapId, folder: '', format: 'csv', title: 'Export' });
  expect(made).toMatchObject({ kind: 'download', fileName: 'mapped.csv' });
  if (made.kind !== 'download') return;
  const lines = (await downloaded(core, made.path)).split('\r\n').map((line) => line.split(',')[0]);
  expect(lines.slice(1)).toEqual(expect.arrayContaining(['"\'=1+1/"', 'a/']));
  const marked = await core.client.map.export({ mapId, folder: '', format: 'csv-bom', title: 'Export' });
  if (marked.kind !== 'download') throw new Error(marked.kind);
  expect(marked.fileName).toBe('mapped.csv');
  expect(await downloaded(core, marked.path)).toMatch(/^\ufeffFolder,/);
});

test('searching an old catalogue starts a walk in the background', async () => {
  const ports = fakePorts({ clock: { ...nodeClock, advance: () => Promise.resolve(), sleepers: 0 } });
  let laterMs = 0;
  const clock = { ...ports.clock, nowMs: () => nodeClock.nowMs() + laterMs };
  const core = await rig({ a: 1 }, { ...ports, clock });
  const { takenAt } = await mapped(core);
  laterMs = 10 * 60_000;
  const place = { connectionId: core.connectionId, bucket };
  await core.client.walks.start({ ...place, prefix: '', query: everyObject, fromCatalogue: true });
  await expect
    .poll(async () => (await core.client.map.list(place)).catalogues[0]?.takenAt, { timeout: 10_000 })
    .not.toBe(takenAt);
});

test('catalogues are hidden while a connection points to another service', async () => {
  const core = await rig({ 'a/1': 5 });
  const { connectionId, client } = core;
  await mapped(core);
  const other = await serviceUnderTest();
  other.store.buckets.create(bucket, 60_000);
  const place = { connectionId, bucket };
  const inputs = [inputFor(other.endpoint), inputFor(core.service.endpoint)] as const;

  await client.connections.update({ connectionId, input: inputs[0] });
  expect(await client.map.list(place)).toEqual({ catalogues: [], growth: [] });
  expect(await client.map.totals({ connectionId })).toEqual([]);
  expect(await client.map.sizes({ ...place, prefix: '', folders: ['a/'] })).toBeNull();
  expect((await mapped(core)).objects).toBe(0);

  await client.connections.update({ connectionId, input: inputs[1] });
  expect((await client.map.totals({ connectionId })).map(({ objects }) => objects)).toEqual([1]);
  expect((await mapped(core)).objects).toBe(1);
});

test('the catalogues of a bucket are removed once the bucket is deleted, also by others', async () => {
  const core = await rig({ 'a/1': 5 });
  const { connectionId, client, service } = core;
  await mapped(core);
  const place = { connectionId, bucket };
  const s3 = await core.core.connectionClient(connectionId);
  await s3.deleteObject({ bucket, key: 'a/1' });
  await s3.deleteBucket({ bucket });
  service.store.buckets.create(bucket, 3_600_000);
  // Changing the connection has the same effect as waiting a minute: the creation date is requested again.
  await client.connections.update({ connectionId, input: inputFor(service.endpoint) });
  expect(await client.map.list(place)).toEqual({ catalogues: [], growth: [] });
  expect((await mapped(core)).objects).toBe(0);
  await client.bucketSettings.remove(place);
  await expect.poll(async () => (await client.map.usage()).catalogues).toBe(0);
});

/** Searches names and returns the final result. */
async function lastFound(core: Rig, text: string) {
  let last: FoundNames = { found: [], isOver: false };
  for await (const now of await core.client.map.find({ text, near: null })) last = now;
  return last;
}

test('names are found in catalogues, without a request', async () => {
  const core = await rig({ 'invoices/2026/june.pdf': 5, 'june.jpg': 7, 'c.txt': 1 });
  expect(await lastFound(core, 'june')).toEqual({ found: [], isOver: true });
  await mapped(core);
  const before = core.service.faults.journal.length;
  const { found, isOver } = await lastFound(core, 'june');
  expect(isOver).toBe(true);
  expect(found.map(({ bucket: of, key, sizeBytes }) => [of, key, sizeBytes])).toEqual([
    [bucket, 'june.jpg', 7],
    [bucket, 'invoices/2026/june.pdf', 5],
  ]);
  expect(core.service.faults.journal).toHaveLength(before);
});

test('names of a bucket are not found with a key of another account', async () => {
  const core = await rig({ 'june.jpg': 7 });
  await mapped(core);
  const input = inputFor(core.service.endpoint);
  await core.client.connections.update({
    connectionId: core.connectionId,
    input: {
      ...input,
      auth: { kind: 'keys', accessKeyId: 'another-account', secretAccessKey: 'secret', sessionToken: null },
    },
  });
  expect(await lastFound(core, 'june')).toEqual({ found: [], isOver: true });
});
