import { DatabaseSync } from 'node:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asyncProperty, assert, constantFrom, array, record, integer } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startService, type Service } from '../../support/lab-service/server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { all, call, keys, elementText, prefixesOf, put, region, serve, type Reply } from './harness.ts';
import { begin, codeOf, complete, filmPath, send } from './multipart-calls.ts';

const path = '/bucket/note.txt';

async function setVersioning(service: Service, status: string): Promise<Reply> {
  const body = `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
  return await call(service, { method: 'PUT', path: '/bucket', query: { versioning: '' }, body });
}

async function versioned(): Promise<Service> {
  const service = await serve({ minPartBytes: 1 });
  service.store.buckets.create('bucket', 0);
  expect((await setVersioning(service, 'Enabled')).status).toBe(200);
  return service;
}

const versionIn = (reply: Reply): string => String(reply.headers['x-amz-version-id']);

async function write(service: Service, body: string, at = path): Promise<string> {
  return versionIn(await call(service, { method: 'PUT', path: at, body }));
}

async function list(service: Service, query: Record<string, string> = {}): Promise<string> {
  return (await call(service, { path: '/bucket', query: { versions: '', ...query } })).text;
}

/** Returns `kind version latest` of each entry, in order. */
function entries(xml: string): string[] {
  return [
    ...xml.matchAll(
      /<(Version|DeleteMarker)><Key>([^<]*)<\/Key><VersionId>([^<]*)<\/VersionId><IsLatest>(\w+)/g,
    ),
  ].map(([, kind, key, version, latest]) => `${kind} ${key} ${version}${latest === 'true' ? ' latest' : ''}`);
}

test('versioning of a bucket is off until enabled, and can then be suspended', async () => {
  const service = await serve();
  service.store.buckets.create('bucket', 0);
  const read = async (): Promise<string | null> =>
    elementText((await call(service, { path: '/bucket', query: { versioning: '' } })).text, 'Status');
  expect(await read()).toBeNull();
  for (const status of ['Enabled', 'Suspended', 'Enabled']) {
    await setVersioning(service, status);
    expect(await read()).toBe(status);
  }
  expect(await codeOf(setVersioning(service, 'Off'))).toEqual([400, 'MalformedXML']);
  expect(await codeOf(call(service, { path: '/none', query: { versioning: '' } }))).toEqual([
    404,
    'NoSuchBucket',
  ]);
});

describe('a versioned bucket', () => {
  test('keeps each version, and GET and HEAD read the latest or the named one', async () => {
    const service = await versioned();
    const first = await write(service, 'one');
    const second = await write(service, 'two');
    expect(first).not.toBe(second);
    const latest = await call(service, { path });
    expect([latest.text, versionIn(latest)]).toEqual(['two', second]);
    for (const [version, text] of [
      [first, 'one'],
      [second, 'two'],
    ] as const) {
      const got = await call(service, { path, query: { versionId: version } });
      expect([got.status, got.text, versionIn(got)]).toEqual([200, text, version]);
      expect((await call(service, { method: 'HEAD', path, query: { versionId: version } })).status).toBe(200);
    }
    expect(entries(await list(service))).toEqual([
      `Version note.txt ${second} latest`,
      `Version note.txt ${first}`,
    ]);
  });

  test('hides a deleted key behind a delete marker and keeps its versions', async () => {
    const service = await versioned();
    const first = await write(service, 'one');
    const removed = await call(service, { method: 'DELETE', path });
    const marker = versionIn(removed);
    expect([removed.status, removed.headers['x-amz-delete-marker']]).toEqual([204, 'true']);
    const got = await call(service, { path });
    expect([
      got.status,
      elementText(got.text, 'Code'),
      got.headers['x-amz-delete-marker'],
      versionIn(got),
    ]).toEqual([404, 'NoSuchKey', 'true', marker]);
    const named = await call(service, { path, query: { versionId: marker } });
    expect([
      named.status,
      elementText(named.text, 'Code'),
      named.headers['x-amz-delete-marker'],
      named.headers.allow,
    ]).toEqual([405, 'MethodNotAllowed', 'true', 'DELETE']);
    expect(all((await call(service, { path: '/bucket' })).text, 'Key')).toEqual([]);
    expect((await call(service, { path, query: { versionId: first } })).text).toBe('one');
    expect(await codeOf(call(service, { method: 'DELETE', path: '/bucket' }))).toEqual([
      409,
      'BucketNotEmpty',
    ]);
    const back = await call(service, { method: 'DELETE', path, query: { versionId: marker } });
    expect([back.headers['x-amz-delete-marker'], versionIn(back)]).toEqual(['true', marker]);
    expect((await call(service, { path })).text).toBe('one');
  });

  test('adds a delete marker also for a missing key', async () => {
    const service = await versioned();
    const marker = versionIn(await call(service, { method: 'DELETE', path }));
    expect(entries(await list(service))).toEqual([`DeleteMarker note.txt ${marker} latest`]);
  });

  test('shows the previous version again when the latest is deleted', async () => {
    const service = await versioned();
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) ids.push(await write(service, text));
    await call(service, { method: 'DELETE', path, query: { versionId: ids[1] ?? '' } });
    expect((await call(service, { path })).text).toBe('three');
    await call(service, { method: 'DELETE', path, query: { versionId: ids[2] ?? '' } });
    expect((await call(service, { path })).text).toBe('one');
    expect(entries(await list(service))).toEqual([`Version note.txt ${ids[0]} latest`]);
    await call(service, { method: 'DELETE', path, query: { versionId: ids[0] ?? '' } });
    expect((await call(service, { method: 'DELETE', path: '/bucket' })).status).toBe(204);
  });

  test('refuses an invalid version id, misses an unknown one, and accepts its deletion', async () => {
    const service = await versioned();
    const id = await write(service, 'one');
    await call(service, { method: 'DELETE', path, query: { versionId: id } });
    await write(service, 'two');
    for (const versionId of ['', 'x', `${id}0`])
      expect(await codeOf(call(service, { path, query: { versionId } }))).toEqual([400, 'InvalidArgument']);
    expect(await codeOf(call(service, { path, query: { versionId: id } }))).toEqual([404, 'NoSuchVersion']);
    expect((await call(service, { method: 'DELETE', path, query: { versionId: id } })).status).toBe(204);
    expect((await call(service, { path })).text).toBe('two');
  });

  test('copies a version of the source as a new version and names it', async () => {
    const service = await versioned();
    const first = await write(service, 'one');
    await write(service, 'two');
    const headers = { 'x-amz-copy-source': `bucket/note.txt?versionId=${first}` };
    const copied = await call(service, { method: 'PUT', path, headers });
    expect([copied.status, copied.headers['x-amz-copy-source-version-id']]).toEqual([200, first]);
    expect(versionIn(copied)).not.toBe(first);
    expect((await call(service, { path })).text).toBe('one');
    const marker = versionIn(await call(service, { method: 'DELETE', path }));
    const from = { 'x-amz-copy-source': `bucket/note.txt?versionId=${marker}` };
    expect(await codeOf(call(service, { method: 'PUT', path: '/bucket/b', headers: from }))).toEqual([
      400,
      'InvalidRequest',
    ]);
    const latest = { 'x-amz-copy-source': 'bucket/note.txt' };
    expect(await codeOf(call(service, { method: 'PUT', path: '/bucket/b', headers: latest }))).toEqual([
      404,
      'NoSuchKey',
    ]);
  });

  test('copies a version into a part, and completing an upload makes a version', async () => {
    const service = await versioned();
    const source = await write(service, 'old');
    await write(service, 'new');
    const uploadId = await begin(service);
    const headers = { 'x-amz-copy-source': `/bucket/note.txt?versionId=${source}` };
    const query = { uploadId, partNumber: '1' };
    const part = await call(service, { method: 'PUT', path: filmPath, query, headers });
    expect(part.headers['x-amz-copy-source-version-id']).toBe(source);
    const parts: [number, string][] = [
      [1, elementText(part.text, 'ETag') ?? ''],
      [2, await send(service, uploadId, 2, 'er')],
    ];
    const before = await write(service, 'before', filmPath);
    const done = await complete(service, uploadId, parts);
    expect(versionIn(done)).not.toBe(before);
    expect((await call(service, { path: filmPath })).text).toBe('older');
    expect((await call(service, { path: filmPath, query: { versionId: before } })).text).toBe('before');
  });

  test('adds markers and deletes versions and markers with DeleteObjects, and reports which', async () => {
    const service = await versioned();
    const first = await write(service, 'one', '/bucket/a');
    await write(service, 'one', '/bucket/b');
    const remove = async (inner: string): Promise<string> =>
      (
        await call(service, {
          method: 'POST',
          path: '/bucket',
          query: { delete: '' },
          body: `<Delete>${inner}</Delete>`,
        })
      ).text;
    const marked = await remove('<Object><Key>a</Key></Object><Object><Key>b</Key></Object>');
    expect(all(marked, 'DeleteMarker')).toEqual(['true', 'true']);
    const [marker = ''] = all(marked, 'DeleteMarkerVersionId');
    const inner = [first, marker, 'nonsense'].map(
      (id) => `<Object><Key>a</Key><VersionId>${id}</VersionId></Object>`,
    );
    const removed = await remove(inner.join(''));
    expect(all(removed, 'VersionId')).toEqual([first, marker, 'nonsense']);
    expect([all(removed, 'DeleteMarkerVersionId'), all(removed, 'Code')]).toEqual([
      [marker],
      ['InvalidArgument'],
    ]);
    expect(entries(await list(service, { prefix: 'a' }))).toEqual([]);
  });

  test('keeps tags per version', async () => {
    const service = await versioned();
    const first = await write(service, 'one');
    await write(service, 'two');
    const body = '<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>';
    const query = { tagging: '', versionId: first };
    const put = await call(service, { method: 'PUT', path, query, body });
    expect([put.status, versionIn(put)]).toEqual([200, first]);
    expect(all((await call(service, { path, query })).text, 'Key')).toEqual(['k']);
    expect(all((await call(service, { path, query: { tagging: '' } })).text, 'Key')).toEqual([]);
  });
});

test('objects from before versioning are the null version and stay when versions are added', async () => {
  const service = await serve();
  service.store.buckets.create('bucket', 0);
  expect(await write(service, 'old')).toBe('undefined');
  await setVersioning(service, 'Enabled');
  expect(versionIn(await call(service, { path }))).toBe('null');
  const second = await write(service, 'new');
  expect(entries(await list(service))).toEqual([
    `Version note.txt ${second} latest`,
    'Version note.txt null',
  ]);
  expect((await call(service, { path, query: { versionId: 'null' } })).text).toBe('old');
  await call(service, { method: 'DELETE', path, query: { versionId: 'null' } });
  expect(await codeOf(call(service, { path, query: { versionId: 'null' } }))).toEqual([404, 'NoSuchVersion']);
});

test('a suspended bucket keeps its versions and has one replaceable null version', async () => {
  const service = await versioned();
  const first = await write(service, 'one');
  await setVersioning(service, 'Suspended');
  expect(await write(service, 'two')).toBe('null');
  expect(await write(service, 'three')).toBe('null');
  expect(entries(await list(service))).toEqual(['Version note.txt null latest', `Version note.txt ${first}`]);
  const removed = await call(service, { method: 'DELETE', path });
  expect([versionIn(removed), removed.headers['x-amz-delete-marker']]).toEqual(['null', 'true']);
  expect(entries(await list(service))).toEqual([
    'DeleteMarker note.txt null latest',
    `Version note.txt ${first}`,
  ]);
  await setVersioning(service, 'Enabled');
  const last = await write(service, 'four');
  expect(entries(await list(service))).toEqual([
    `Version note.txt ${last} latest`,
    'DeleteMarker note.txt null',
    `Version note.txt ${first}`,
  ]);
});

async function many(): Promise<Service> {
  const service = await versioned();
  for (const key of ['a', 'b', 'b', 'b', 'c/1', 'c/2', 'd']) await write(service, key, `/bucket/${key}`);
  await call(service, { method: 'DELETE', path: '/bucket/b' });
  return service;
}

describe('ListObjectVersions', () => {
  test('handles prefix, delimiter and encoding-type as object listings do', async () => {
    const service = await many();
    await put(service, 'bucket', 'x y');
    expect(prefixesOf(await list(service, { delimiter: '/' }))).toEqual(['c/']);
    expect(all(await list(service, { prefix: 'c/' }), 'Key')).toEqual(['c/1', 'c/2']);
    expect(all(await list(service, { prefix: 'x', 'encoding-type': 'url' }), 'Key')).toEqual(['x+y']);
  });

  test.each([1, 2, 3, 4, 7])(
    'returns each entry once and in order in pages of %i with both markers',
    async (size) => {
      const service = await many();
      const whole = entries(await list(service));
      expect(whole).toHaveLength(8);
      const found: string[] = [];
      let markers: Record<string, string> | null = {};
      while (markers !== null) {
        const xml = await list(service, { 'max-keys': String(size), ...markers });
        found.push(...entries(xml));
        const next = elementText(xml, 'NextVersionIdMarker');
        markers =
          elementText(xml, 'IsTruncated') === 'true'
            ? {
                'key-marker': elementText(xml, 'NextKeyMarker') ?? '',
                ...(next === null ? {} : { 'version-id-marker': next }),
              }
            : null;
      }
      expect(found).toEqual(whole);
    },
  );

  test('starts after key-marker, and after the former position of a deleted version marker', async () => {
    const service = await many();
    const [newest = '', middle = ''] = all(await list(service, { prefix: 'b' }), 'VersionId');
    expect(all(await list(service, { 'key-marker': 'b' }), 'Key')).toEqual(['c/1', 'c/2', 'd']);
    await call(service, { method: 'DELETE', path: '/bucket/b', query: { versionId: middle } });
    const query = { prefix: 'b', 'key-marker': 'b', 'version-id-marker': middle };
    const rest = all(await list(service, query), 'VersionId');
    expect(rest).toHaveLength(2);
    expect(rest).not.toContain(newest);
  });

  test('refuses a version-id-marker that is invalid or without a key-marker as InvalidArgument', async () => {
    const service = await many();
    const ask = (query: Record<string, string>): Promise<Reply> =>
      call(service, { path: '/bucket', query: { versions: '', ...query } });
    for (const query of [
      { 'version-id-marker': 'null' },
      { 'key-marker': 'a', 'version-id-marker': '' },
      { 'key-marker': 'a', 'version-id-marker': 'x' },
      { 'max-keys': 'x' },
    ])
      expect(await codeOf(ask(query))).toEqual([400, 'InvalidArgument']);
  });
});

test('any sequence of puts, deletions and suspensions agrees with a plain model', async () => {
  const step = record({
    act: constantFrom('put', 'delete', 'delete-version', 'enable', 'suspend'),
    key: constantFrom('a', 'b'),
    pick: integer({ min: 0, max: 5 }),
  });
  await assert(
    asyncProperty(array(step, { maxLength: 25 }), async (steps) => {
      const service = await startService({ dataDir: tempDir(), credentials: [keys], region });
      try {
        const { store } = service;
        const id = store.buckets.create('bucket', 0)?.id ?? 0;
        let state: 'Never' | 'Enabled' | 'Suspended' = 'Never';
        /** The expected versions, newest first. */
        const model: { key: string; version: string; text: string | null }[] = [];
        const drop = (key: string, version: string): void => {
          const at = model.findIndex((stored) => stored.key === key && stored.version === version);
          if (at >= 0) model.splice(at, 1);
        };
        for (const [index, { act, key, pick }] of steps.entries()) {
          if (act === 'enable' || act === 'suspend') {
            state = act === 'enable' ? 'Enabled' : 'Suspended';
            store.setVersioning(id, state);
          } else if (act === 'put') {
            const text = `${index}`;
            await store.putBytes(id, key, Buffer.from(text), { modifiedMs: index });
            const version = store.version(id, key, null)?.version ?? '';
            if (state !== 'Enabled') drop(key, 'null');
            model.unshift({ key, version, text });
          } else if (act === 'delete') {
            const { version } = store.deleteObject(id, key);
            if (state !== 'Enabled') drop(key, 'null');
            if (state !== 'Never') model.unshift({ key, version: version ?? '', text: null });
          } else {
            const of = model.filter((stored) => stored.key === key);
            const version = of[pick % Math.max(of.length, 1)]?.version ?? 'null';
            store.deleteObject(id, key, { version });
            drop(key, version);
          }
        }
        const query = { prefix: '', delimiter: '', after: null, afterVersion: null, limit: 1000 };
        const listed = store.listVersions(id, query).rows;
        const wanted = ['a', 'b'].flatMap((key) =>
          model
            .filter((stored) => stored.key === key)
            .map(({ version, text }, index) => [key, version, text === null, index === 0]),
        );
        expect(listed.map((row) => [row.key, row.version, row.isMarker, row.isLatest])).toEqual(wanted);
        const current = ['a', 'b'].filter(
          (key) => (model.find((stored) => stored.key === key)?.text ?? null) !== null,
        );
        const { rows } = store.list(id, { prefix: '', delimiter: '', after: null, limit: 1000 });
        expect(rows.map(({ key }) => key)).toEqual(current);
        for (const { key, version, text } of model.filter((stored) => stored.text !== null)) {
          const row = store.version(id, key, version);
          const chunks: Buffer[] = [];
          const reader = store.contents.reader(row?.content ?? 0, 0, row?.sizeBytes ?? 0);
          for await (const chunk of reader.stream()) chunks.push(chunk);
          expect(Buffer.concat(chunks).toString()).toBe(text);
        }
      } finally {
        await service.close();
      }
    }),
    { numRuns: 40 },
  );
});

test('versions persist over a restart', async () => {
  const dataDir = tempDir();
  const first = await startService({ dataDir, credentials: [keys], region });
  first.store.buckets.create('bucket', 0);
  await setVersioning(first, 'Enabled');
  await write(first, 'one');
  await write(first, 'x'.repeat(40_000));
  await call(first, { method: 'DELETE', path });
  const before = entries(await list(first));
  await first.close();
  const second = await serve({ dataDir });
  expect(entries(await list(second))).toEqual(before);
  expect(before).toHaveLength(3);
  const [, big = ''] = all(await list(second), 'VersionId');
  expect((await call(second, { path, query: { versionId: big } })).bytes).toHaveLength(40_000);
});

/** The tables as version 1 created them. */
const tablesOfVersion1 = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE buckets (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL);
  CREATE TABLE objects (
    bucket INTEGER NOT NULL, key BLOB NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, modified_ms INTEGER NOT NULL,
    storage_class TEXT NOT NULL, content INTEGER NOT NULL, head TEXT, PRIMARY KEY (bucket, key)
  ) WITHOUT ROWID;
  CREATE TABLE chunks (id INTEGER PRIMARY KEY, refs INTEGER NOT NULL, size INTEGER NOT NULL, bytes BLOB, file TEXT);
  CREATE UNIQUE INDEX chunks_by_file ON chunks (file) WHERE file IS NOT NULL;
  CREATE TABLE manifests (id INTEGER PRIMARY KEY AUTOINCREMENT);
  CREATE TABLE segments (
    manifest INTEGER NOT NULL, seq INTEGER NOT NULL, chunk INTEGER NOT NULL, start INTEGER NOT NULL,
    size INTEGER NOT NULL, PRIMARY KEY (manifest, seq)
  ) WITHOUT ROWID;
  CREATE TABLE uploads (
    id TEXT PRIMARY KEY, bucket INTEGER NOT NULL, key BLOB NOT NULL, initiated_ms INTEGER NOT NULL,
    storage_class TEXT NOT NULL, head TEXT, checksum_algorithm TEXT, checksum_type TEXT
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX uploads_by_key ON uploads (bucket, key, id);
  CREATE TABLE parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, modified_ms INTEGER NOT NULL,
    content INTEGER NOT NULL, checksums TEXT, PRIMARY KEY (upload, number)
  ) WITHOUT ROWID;
  INSERT INTO buckets VALUES (1, 'bucket', 1700000000000);
  INSERT INTO chunks VALUES (1, 1, 3, CAST('old' AS BLOB), NULL);
  INSERT INTO objects VALUES
    (1, CAST('note.txt' AS BLOB), 3, '149603e6c03516362a8da23f624db945', 1700000000000, 'GLACIER', 1,
     '{"headers":{"content-type":"text/plain"},"metadata":{}}');
  PRAGMA user_version = 1;
`;

test('a data folder of version 1 opens completely, and its objects are null versions', async () => {
  const dataDir = join(tempDir(), 'data');
  mkdirSync(dataDir);
  const db = new DatabaseSync(join(dataDir, 'index.sqlite'));
  db.exec(tablesOfVersion1);
  db.close();
  const service = await serve({ dataDir });
  const got = await call(service, { path });
  expect([got.text, got.headers['content-type'], got.headers['x-amz-storage-class']]).toEqual([
    'old',
    'text/plain',
    'GLACIER',
  ]);
  expect(got.headers['x-amz-version-id']).toBeUndefined();
  expect(elementText((await call(service, { path: '/bucket' })).text, 'StorageClass')).toBe('GLACIER');
  await setVersioning(service, 'Enabled');
  await write(service, 'new');
  expect((await call(service, { path, query: { versionId: 'null' } })).text).toBe('old');
});
