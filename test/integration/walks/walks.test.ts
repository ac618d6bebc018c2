import { readdirSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createWalks } from '../../../electron/core/walks/walks.ts';
import type { Quirks } from '../../../electron/service/quirks.ts';
import { clientFor } from '../../support/servers/s3-client.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { compareKeys } from '../../../shared/keys/paths.ts';
import { everyObject, type WalkQuery, type WalkStatus } from '../../../shared/models/walks.ts';
import {
  coreUnderTest,
  inputFor,
  serviceKeys,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';

const byKey = { by: 'key', descending: false } as const;

/** A key and its size. */
type Made = readonly [key: string, sizeBytes: number];

interface Rig extends CoreUnderTest {
  readonly service: Service;
  readonly connectionId: string;
}

async function rig(
  objects: readonly Made[],
  options: Parameters<typeof coreUnderTest>[0] = {},
  quirks: Partial<Quirks> = {},
): Promise<Rig> {
  const service = await serviceUnderTest({ quirks });
  const bucket = service.store.buckets.create('walked', 0);
  service.store.putObjects(
    bucket?.id ?? 0,
    objects.map(([key, sizeBytes]) => [
      key,
      smallObject(Buffer.alloc(sizeBytes, 1), { modifiedMs: Date.UTC(2026, 0, 1 + (sizeBytes % 28)) }),
    ]),
  );
  const core = coreUnderTest(options);
  const connection = await core.client.connections.create(inputFor(service.endpoint));
  return { ...core, service, connectionId: connection.id };
}

async function finished(core: Rig, walkId: string): Promise<WalkStatus> {
  let last: WalkStatus | null = null;
  for await (const status of await core.client.walks.watch({ walkId })) last = status;
  if (last === null) throw new Error('Nothing was watched.');
  return last;
}

async function walked(core: Rig, prefix: string, query: WalkQuery | null): Promise<WalkStatus> {
  const { walkId } = await core.client.walks.start({
    connectionId: core.connectionId,
    bucket: 'walked',
    prefix,
    query,
  });
  return await finished(core, walkId);
}

function tree(folders: number, files: number): readonly Made[] {
  return Array.from({ length: folders * files }, (_, index) => {
    const folder = String(Math.floor(index / files)).padStart(3, '0');
    return [`data/${folder}/file ${String(index % files).padStart(5, '0')}.txt`, index % 50] as const;
  });
}

test('a folder is counted and summed with its direct subfolders', async () => {
  const objects = [
    ...tree(12, 700),
    ['data', 7],
    ['data/', 0],
    ['data0/x', 1],
    ['data/😀/ÿ/\u0001', 3],
  ] as const;
  const core = await rig(objects);
  const inside = objects.filter(([key]) => key.startsWith('data/'));

  const status = await walked(core, 'data/', null);

  expect(status.state).toBe('done');
  expect(status.error).toBeNull();
  expect(status.isSequential).toBe(false);
  expect(status.keys).toBe(inside.length);
  expect(status.sizeBytes).toBe(inside.reduce((sum, [, size]) => sum + size, 0));
  expect(status.byStorageClass).toEqual([
    { storageClass: 'STANDARD', keys: status.keys, sizeBytes: status.sizeBytes },
  ]);
  const { children, total } = await core.client.walks.children({
    walkId: status.walkId,
    offset: 0,
    limit: 100,
    sort: { by: 'prefix', descending: false },
  });
  expect(total).toBe(13);
  expect(children[0]).toEqual({
    prefix: 'data/000/',
    keys: 700,
    sizeBytes: inside.slice(0, 700).reduce((sum, [, size]) => sum + size, 0),
  });
  expect(children.at(-1)).toEqual({ prefix: 'data/😀/', keys: 1, sizeBytes: 3 });
});

test('thousands of folders are summed during and after the walk', async () => {
  const core = await rig(
    Array.from({ length: 5200 }, (_, index) => [`f${String(index % 2600).padStart(4, '0')}/${index}`, 10]),
  );
  const range = { offset: 0, limit: 100, sort: { by: 'prefix', descending: false } } as const;
  const { walkId } = await core.client.walks.start({
    connectionId: core.connectionId,
    bucket: 'walked',
    prefix: '',
    query: null,
  });
  for await (const _ of await core.client.walks.watch({ walkId })) {
    await core.client.walks.children({ walkId, ...range });
  }

  const { children, total } = await core.client.walks.children({ walkId, ...range });
  expect(total).toBe(2600);
  expect(children[0]).toEqual({ prefix: 'f0000/', keys: 2, sizeBytes: 20 });
  const last = await core.client.walks.children({ walkId, ...range, offset: 2599 });
  expect(last.children).toEqual([{ prefix: 'f2599/', keys: 2, sizeBytes: 20 }]);
});

test('search results are read by ranges in each order, and are the same for other consumers', async () => {
  const core = await rig(tree(5, 1300));
  const wanted = tree(5, 1300)
    .filter(([key, size]) => key.includes('7') && size >= 10)
    .map(([key]) => key)
    .toSorted(compareKeys);

  const status = await walked(core, '', {
    ...everyObject,
    name: { kind: 'regex', text: '7', caseSensitive: true, in: 'path' },
    minSizeBytes: 10,
  });

  expect(status).toMatchObject({ state: 'done', keys: 6500, matches: wanted.length });
  const { walkId } = status;
  const read: string[] = [];
  for (let offset = 0; offset < wanted.length; offset += 900) {
    const page = await core.client.walks.read({ walkId, offset, limit: 900, sort: byKey });
    expect(page.total).toBe(wanted.length);
    read.push(...page.rows.map(({ key }) => key));
  }
  expect(read).toEqual(wanted);
  for (const by of ['size', 'modified', 'found'] as const) {
    const { rows } = await core.client.walks.read({
      walkId,
      offset: 0,
      limit: 1000,
      sort: { by, descending: true },
    });
    const values = rows.map((row, at) =>
      by === 'size' ? row.sizeBytes : by === 'modified' ? (row.lastModified ?? '') : -at,
    );
    expect(values).toEqual(values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  }
});

test('an invalid pattern is rejected at once, and an endless one aborted without affecting other walks', async () => {
  const core = await rig([[`${'a'.repeat(60)}!`, 1], ...tree(3, 100)]);
  const start = (text: string) =>
    core.client.walks.start({
      connectionId: core.connectionId,
      bucket: 'walked',
      prefix: '',
      query: { ...everyObject, name: { kind: 'regex', text, caseSensitive: true, in: 'name' } },
    });
  await expect(start('(')).rejects.toMatchObject({
    data: { code: 'invalid-argument', reason: 'pattern-invalid' },
  });

  const { walkId } = await start('^(a+)+$');
  const other = await walked(core, 'data/', null);
  expect(other).toMatchObject({ state: 'done', keys: 300 });
  const slow = await finished(core, walkId);
  expect(slow.state).toBe('failed');
  expect(slow.error).toMatchObject({ code: 'invalid-argument', reason: 'pattern-slow' });
  expect(await walked(core, 'data/', null)).toMatchObject({ state: 'done', keys: 300 });
}, 30_000);

test('a stopped walk reports it at once, keeps its results and sends no more requests', async () => {
  const core = await rig(tree(20, 1000));
  const { walkId } = await core.client.walks.start({
    connectionId: core.connectionId,
    bucket: 'walked',
    prefix: '',
    query: everyObject,
  });
  for await (const status of await core.client.walks.watch({ walkId })) if (status.keys > 0) break;
  await core.client.walks.stop({ walkId });
  const [stopped] = await core.client.walks.list();
  expect(stopped?.state).toBe('stopped');
  expect(stopped?.keys).toBeGreaterThan(0);
  const again = await finished(core, walkId);
  expect(again).toEqual(stopped);
  const { total } = await core.client.walks.read({ walkId, offset: 0, limit: 10, sort: byKey });
  expect(total).toBeLessThanOrEqual(again.matches);
});

test('a closed walk is removed with its file, and a new start removes leftovers', async () => {
  const core = await rig(tree(2, 50));
  const { walkId } = await walked(core, '', everyObject);
  expect(readdirSync(path.join(core.dataDir, 'walks'))).toEqual([`${walkId}.db`]);
  await core.client.walks.close({ walkId });
  expect(readdirSync(path.join(core.dataDir, 'walks'))).toEqual([]);
  await expect(core.client.walks.read({ walkId, offset: 0, limit: 1, sort: byKey })).rejects.toMatchObject({
    data: { code: 'not-found', reason: 'walk-gone' },
  });
  await walked(core, '', everyObject);
  await core.core.close();
  expect(existsSync(path.join(core.dataDir, 'walks'))).toBe(false);
});

test("a walk of a missing bucket fails with the service's error", async () => {
  const core = await rig([]);
  const { walkId } = await core.client.walks.start({
    connectionId: core.connectionId,
    bucket: 'not-there',
    prefix: '',
    query: null,
  });
  const status = await finished(core, walkId);
  expect(status.state).toBe('failed');
  expect(status.error).toMatchObject({ code: 'not-found', s3: { status: 404, code: 'NoSuchBucket' } });
});

test('search results are exported as CSV and JSON in the requested order, once per URL', async () => {
  const keys = ['=1+1', 'a,b', 'say "hi"', 'plain', 'new\nline', '😀', '-x'];
  const core = await rig(keys.map((key, index) => [key, index + 1] as const));
  const { walkId } = await walked(core, '', everyObject);
  const download = async (
    format: 'csv' | 'json',
  ): Promise<{ text: string; headers: Readonly<Record<string, string>> }> => {
    const made = await core.client.walks.export({ walkId, format, sort: byKey, title: 'Export' });
    if (made.kind !== 'download') throw new Error(made.kind);
    expect(made.fileName).toBe(`walked.${format}`);
    const response = await core.core.bytes.handle({ method: 'GET', path: made.path, headers: {} });
    const chunks: Buffer[] = [];
    for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk as Uint8Array));
    const again = await core.core.bytes.handle({ method: 'GET', path: made.path, headers: {} });
    expect(again.status).toBe(404);
    again.body?.destroy();
    return { text: Buffer.concat(chunks).toString('utf8'), headers: response.headers };
  };

  const csv = await download('csv');
  expect(csv.headers['content-disposition']).toMatch(/^attachment; /);
  expect(csv.text.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    'Key',
    `"'-x"`,
    `"'=1+1"`,
    '"a',
    '"new\nline"',
    'plain',
    '"say ""hi"""',
    '😀',
    '',
  ]);
  const json: unknown = JSON.parse((await download('json')).text);
  expect(json).toMatchObject(
    keys.toSorted(compareKeys).map((key) => ({ key, sizeBytes: keys.indexOf(key) + 1 })),
  );
});

test('a manifest has the bucket and a percent-encoded key per line, without a header', async () => {
  const keys = ['a,b', 'folder/say "hi"', 'new\nline', 'one+two three', '=1+1', '100%', 'ü/😀'];
  const core = await rig(keys.map((key) => [key, 1] as const));
  const { walkId } = await walked(core, '', everyObject);
  const request = { walkId, format: 'manifest', sort: byKey, title: 'Export' } as const;
  const made = await core.client.walks.export(request);
  if (made.kind !== 'download') throw new Error(made.kind);
  expect(made.fileName).toBe('walked-manifest.csv');
  const response = await core.core.bytes.handle({ method: 'GET', path: made.path, headers: {} });
  const chunks: Buffer[] = [];
  for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk as Uint8Array));
  const text = Buffer.concat(chunks).toString('utf8');
  expect(text).toContain('walked,folder/say%20%22hi%22\nwalked,new%0Aline\n');
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.every((line) => /^walked,[\w.!~*'()%/-]+$/.test(line))).toBe(true);
  // Readers that decode a plus as a space get the same keys.
  const found = lines.map((line) => decodeURIComponent(line.slice('walked,'.length).replaceAll('+', ' ')));
  expect(found.toSorted()).toEqual(keys.toSorted());
});

test('a manifest of a selection has the chosen keys and all keys below chosen folders, and no others', async () => {
  const below = tree(3, 1200).map(([key]) => `in/${key}`);
  const core = await rig([...below, 'in', 'in-between', 'out/a', 'ü +%'].map((key) => [key, 1] as const));
  const made = await core.client.walks.manifest({
    connectionId: core.connectionId,
    bucket: 'walked',
    folder: '',
    items: [
      { kind: 'key', key: 'ü +%' },
      { kind: 'prefix', prefix: 'in/' },
    ],
    title: 'Save',
  });
  if (made.kind !== 'download') throw new Error(made.kind);
  expect(made.fileName).toBe('walked-manifest.csv');
  const response = await core.core.bytes.handle({ method: 'GET', path: made.path, headers: {} });
  const chunks: Buffer[] = [];
  for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk as Uint8Array));
  const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n');
  expect(lines[0]).toBe('walked,%C3%BC%20%2B%25');
  expect(lines.map((line) => decodeURIComponent(line.slice('walked,'.length))).toSorted()).toEqual(
    ['ü +%', ...below].toSorted(),
  );
});

test('a consumer of a walk that ends because Cooper quits does not get a list that looks complete', async () => {
  const core = coreUnderTest();
  const { client } = clientFor('http://127.0.0.1:9');
  const walks = createWalks({
    ports: core.ports,
    dataDir: tempDir(),
    client: () => Promise.resolve({ ...client, listKeys: () => new Promise<never>(() => undefined) }),
    startOf: () => null,
  });
  const place = { connectionId: 'c', bucket: 'walked', prefix: '' };
  const first = walks.source.pages(place, new AbortController().signal).next();
  await Promise.all([walks.close(), expect(first).rejects.toMatchObject({ error: { code: 'cancelled' } })]);
});

test('a consumer of a walk gets every key once and may stop halfway', async () => {
  const objects = tree(4, 1500);
  const core = await rig(objects);
  const service = clientFor(core.service.endpoint, { credentials: () => Promise.resolve(serviceKeys) });
  const walks = createWalks({
    ports: core.ports,
    dataDir: tempDir(),
    client: () => Promise.resolve(service.client),
    startOf: () => null,
  });
  onTestFinished(async () => {
    await walks.close();
    await service.client.close();
  });
  const place = { connectionId: 'c', bucket: 'walked', prefix: '' };
  const never = new AbortController().signal;
  const seen: string[] = [];
  for await (const page of walks.source.pages(place, never)) seen.push(...page.map(({ key }) => key));
  expect(seen.toSorted(compareKeys)).toEqual(objects.map(([key]) => key).toSorted(compareKeys));

  for await (const page of walks.source.pages(place, never)) {
    expect(page.length).toBeGreaterThan(0);
    break;
  }
  expect(walks.list()).toEqual([]);

  const walkId = walks.start({ ...place, query: everyObject });
  for await (const status of walks.watch(walkId, never)) if (status.state === 'done') break;
  const results = walks.source.results(walkId);
  expect(results.isComplete).toBe(true);
  expect(results.total).toBe(objects.length);
  const after = objects[2999]?.[0] ?? '';
  const rest: string[] = [];
  for await (const page of results.pages({ signal: never, after, pageSize: 700 }))
    rest.push(...page.map(({ key }) => key));
  expect(rest).toEqual(objects.slice(3000).map(([key]) => key));
  expect(() => walks.source.results('unknown')).toThrow(/no longer exist/);
});

test('without ListObjectsV2 a walk uses V1 markers, also if the service treats V2 as V1', async () => {
  const objects = tree(4, 1500);
  const missing = await rig(objects, {}, { listV2: 'not-implemented', nextMarker: 'with-delimiter' });
  expect(await walked(missing, 'data/', null)).toMatchObject({
    state: 'done',
    keys: objects.length,
    isSequential: false,
  });
  const mistaken = await rig(objects, {}, { listV2: 'treated-as-v1' });
  const status = await walked(mistaken, 'data/', everyObject);
  expect(status).toMatchObject({ state: 'done', keys: objects.length, matches: objects.length });
  const { rows, total } = await mistaken.client.walks.read({
    walkId: status.walkId,
    offset: 5999,
    limit: 10,
    sort: byKey,
  });
  expect([rows.map(({ key }) => key), total]).toEqual([[objects.at(-1)?.[0]], objects.length]);
});
