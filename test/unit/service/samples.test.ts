import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startService, Store, type Service } from '../../support/lab-service/server.ts';
import { draftVersions } from '../../../electron/service/samples/documents.ts';
import { wholeUpload } from '../../../electron/service/samples/sample-uploads.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { all, call, keys, md5, pathOf, region, serve } from './harness.ts';

const mebi = 1024 * 1024;

describe('the sample buckets', () => {
  let service: Service;
  let folder = '';
  let filesDir = '';
  const nowMs = Date.now();

  beforeAll(async () => {
    folder = mkdtempSync(join(os.tmpdir(), 'cooper-samples-'));
    filesDir = join(folder, 'Cooper samples');
    service = await startService({
      dataDir: join(folder, 'data'),
      credentials: [keys],
      region,
      samples: { filesDir },
    });
    await service.samplesReady;
  });

  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function idOf(bucket: string): number {
    return service.store.buckets.get(bucket)?.id ?? 0;
  }

  function file(name: string): Buffer {
    return readFileSync(join(filesDir, name));
  }

  function keysOf(bucket: string, prefix = ''): string[] {
    return service.store
      .list(idOf(bucket), { prefix, delimiter: '', after: null, limit: 100_000 })
      .rows.map((row) => row.key);
  }

  test('contain a flat folder of 30,000 small objects and a tree of logs', () => {
    expect(keysOf('server-data', 'logs/requests/').length).toBe(30_000);
    expect(keysOf('server-data', 'logs/hosts/').length).toBe(360);
  });

  test('contain photos that are real images, in folders by year', async () => {
    const photos = keysOf('photos').filter((key) => key.endsWith('.png'));
    expect(photos.length).toBeGreaterThanOrEqual(10);
    expect(new Set(photos.map((key) => key.split('/')[0])).size).toBeGreaterThanOrEqual(3);
    const { bytes, headers } = await call(service, { path: pathOf('photos', photos[0] ?? '') });
    expect(headers['content-type']).toBe('image/png');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([640, 420]);
    const length = bytes.readUInt32BE(33);
    expect(inflateSync(bytes.subarray(41, 41 + length)).byteLength).toBe((640 * 3 + 1) * 420);
  });

  test('contain text, markdown, CSV, JSON and PDF documents', async () => {
    const documents = keysOf('documents');
    for (const end of ['.md', '.txt', '.csv', '.json', '.pdf']) {
      expect(documents.some((key) => key.endsWith(end))).toBe(true);
    }
    const pdf = (await call(service, { path: '/documents/letters/2026/invitation.pdf' })).text;
    const table = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
    expect(pdf.slice(table, table + 4)).toBe('xref');
    const json = await call(service, { path: '/documents/settings/service.json' });
    expect(JSON.parse(json.text)).toHaveProperty('name');
  });

  test('contain names in many scripts and with many oddities', () => {
    const names = keysOf('names');
    for (const script of [
      /\p{Script=Cyrillic}/u,
      /\p{Script=Han}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Hiragana}/u,
      /\p{Emoji_Presentation}/u,
      /\p{M}/u,
    ]) {
      expect(names.some((name) => script.test(name))).toBe(true);
    }
    for (const part of ['//', ' /', '\u0007', '\u202E', '/..', 'CON', '\t', '%']) {
      expect(names.some((name) => name.includes(part))).toBe(true);
    }
    expect(names.some((name) => name.startsWith('/'))).toBe(true);
    expect(names.every((name) => Buffer.byteLength(name) <= 1024)).toBe(true);
  });

  test('contain three stalled uploads: one complete, one with a gap, one barely started', () => {
    const page = service.store.uploads.list(idOf('backups'), {
      prefix: '',
      delimiter: '',
      after: null,
      afterId: null,
      limit: 10,
    });
    const partsOf = (id: string): number[][] =>
      service.store.uploads.parts(id, 0, 10).map((part) => [part.number, part.sizeBytes]);
    const tailBytes = service.store.uploads.parts(page.rows[0]?.id ?? '', 2, 1)[0]?.sizeBytes ?? 0;
    expect(tailBytes).toBeGreaterThan(0);
    expect(tailBytes).toBeLessThan(5 * mebi);
    expect(page.rows.map((upload) => [upload.key, partsOf(upload.id)])).toEqual([
      [
        '2026/website.tar',
        [
          [1, 5 * mebi],
          [2, 5 * mebi],
          [3, tailBytes],
        ],
      ],
      ['measurements/buoys-2025.csv', [[1, 5 * mebi]]],
      [
        'recordings/harbour at dawn.wav',
        [
          [1, 5 * mebi],
          [2, 5 * mebi],
          [4, 2 * mebi + 1234],
        ],
      ],
    ]);
  });

  test('come with the local files of the uploads, one of them of the right size but wrong', () => {
    const page = service.store.uploads.list(idOf('backups'), {
      prefix: '',
      delimiter: '',
      after: null,
      afterId: null,
      limit: 10,
    });
    for (const [key, name] of [
      ['recordings/harbour at dawn.wav', 'harbour at dawn.wav'],
      ['measurements/buoys-2025.csv', 'buoys-2025.csv'],
    ]) {
      const upload = page.rows.find((row) => row.key === key);
      for (const part of service.store.uploads.parts(upload?.id ?? '', 0, 10)) {
        const slice = file(name ?? '').subarray((part.number - 1) * 5 * mebi, part.number * 5 * mebi);
        expect(part.etag).toBe(md5(slice));
      }
    }
    expect(file('buoys-2024.csv').byteLength).toBe(file('buoys-2025.csv').byteLength);
    expect(
      file('buoys-2024.csv')
        .subarray(0, 5 * mebi)
        .equals(file('buoys-2025.csv').subarray(0, 5 * mebi)),
    ).toBe(false);
  });

  test('contain drafts with versions, a deleted text that can be restored, and rules', async () => {
    const listed = await call(service, { path: '/drafts', query: { versions: '' } });
    expect(all(listed.text, 'Key').filter((key) => key === 'poems/tide.txt')).toHaveLength(4);
    expect(keysOf('drafts')).toEqual(['poems/tide.txt', 'price list.csv', 'scratch/can go.txt']);
    const marker = /<DeleteMarker><Key>([^<]*)<\/Key><VersionId>([^<]*)<\/VersionId>/.exec(listed.text);
    const path = pathOf('drafts', marker?.[1] ?? '');
    expect((await call(service, { path })).status).toBe(404);
    await call(service, { method: 'DELETE', path, query: { versionId: marker?.[2] ?? '' } });
    expect((await call(service, { path })).text).toContain('Shall we mend it?');

    const rules = await call(service, { path: '/drafts', query: { lifecycle: '' } });
    expect(all(rules.text, 'ID')).toHaveLength(3);
    expect(all(rules.text, 'Days')).toEqual(['30']);
    // The service accepts the document that it returned.
    const again = await call(service, {
      method: 'PUT',
      path: '/drafts',
      query: { lifecycle: '' },
      body: rules.text,
    });
    expect(again.status).toBe(200);
  });

  test('have dates between days and years ago', () => {
    const day = 86_400_000;
    for (const bucket of ['photos', 'documents', 'names', 'server-data', 'drafts']) {
      const page = service.store.list(idOf(bucket), {
        prefix: '',
        delimiter: '',
        after: null,
        limit: 100_000,
      });
      for (const row of page.rows) {
        expect(nowMs - row.modifiedMs).toBeGreaterThan(day);
        expect(nowMs - row.modifiedMs).toBeLessThan(1300 * day);
      }
    }
  });

  test('contain gigabytes of several kinds, ages and classes with their bytes', async () => {
    for (const bucket of ['photos', 'server-data']) {
      const page = service.store.list(idOf(bucket), {
        prefix: '',
        delimiter: '',
        after: null,
        limit: 100_000,
      });
      const sizeBytes = page.rows.reduce((sum, row) => sum + row.sizeBytes, 0);
      expect(sizeBytes).toBeGreaterThan(2 * 1024 ** 3);
      expect(new Set(page.rows.map((row) => row.storageClass))).toEqual(new Set(['STANDARD', 'COLD']));
      expect(new Set(page.rows.map(({ key }) => key.slice(key.lastIndexOf('.')))).size).toBeGreaterThan(3);
    }
    const key = 'exports/latest.parquet';
    const { bytes, headers } = await call(service, { path: pathOf('server-data', key) });
    expect(bytes.byteLength).toBe(14 * mebi);
    const part = createHash('md5')
      .update(bytes.subarray(0, 2 * mebi))
      .digest();
    const whole = createHash('md5').update(Buffer.concat(Array.from({ length: 7 }, () => part)));
    expect(headers.etag).toBe(`"${whole.digest('hex')}-7"`);
  });

  test('take less than 80 MB of disk', () => {
    const sizeOf = (path: string): number =>
      statSync(path).isDirectory()
        ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
        : statSync(path).size;
    expect(sizeOf(folder)).toBeLessThan(80e6);
  });
});

test('the samples are the same every time, and objects deleted by the user do not come back', async () => {
  const dataDir = tempDir();
  const options = { dataDir, samples: { filesDir: null, logCount: 5 } };
  const first = await serve(options);
  await first.samplesReady;
  const { headers } = await call(first, { path: '/photos/cover.png' });
  await call(first, { method: 'DELETE', path: '/photos/cover.png' });
  await first.close();
  const again = await serve(options);
  await again.samplesReady;
  expect((await call(again, { path: '/photos/cover.png' })).status).toBe(404);
  const other = await serve({ ...options, dataDir: tempDir() });
  await other.samplesReady;
  expect((await call(other, { path: '/photos/cover.png' })).headers.etag).toBe(headers.etag);
});

test('a service closed while it creates samples creates the rest at the next start', async () => {
  const dataDir = tempDir();
  const options = { dataDir, samples: { filesDir: null, logCount: 5 } };
  const first = await serve(options);
  await first.close();
  const second = await serve(options);
  await second.samplesReady;
  const bucketId = second.store.buckets.get('backups')?.id ?? 0;
  const page = second.store.uploads.list(bucketId, {
    prefix: '',
    delimiter: '',
    after: null,
    afterId: null,
    limit: 10,
  });
  expect(page.rows.length).toBe(3);
  expect((await call(second, { path: '/photos/cover.png' })).status).toBe(200);
});

test('a stalled upload left half created by a crash is created again, not twice', async () => {
  const store = new Store(tempDir());
  onTestFinished(() => store.close());
  const bucketId = store.buckets.create('backups', 0)?.id ?? 0;
  const nowMs = Date.now();
  await wholeUpload(store, bucketId, nowMs);
  await wholeUpload(store, bucketId, nowMs);
  const page = store.uploads.list(bucketId, {
    prefix: '',
    delimiter: '',
    after: null,
    afterId: null,
    limit: 10,
  });
  expect(page.rows.map((upload) => store.uploads.parts(upload.id, 0, 10).length)).toEqual([3]);
});

/** Returns all versions and delete markers of the drafts, and their rules. */
function draftsOf(store: Store) {
  const bucketId = store.buckets.get('drafts')?.id ?? 0;
  const query = { prefix: '', delimiter: '', after: null, afterVersion: null, limit: 1000 };
  const rows = store.listVersions(bucketId, query).rows;
  return {
    bucketId,
    versions: rows.map(({ key, isMarker }) => [key, isMarker]),
    rules: store.buckets.lifecycle(bucketId),
  };
}

test("the drafts' lifecycle rules delete nothing before their time, and then what they say", async () => {
  let nowMs = Date.now();
  const service = await serve({ samples: { filesDir: null, logCount: 5 }, clock: { nowMs: () => nowMs } });
  await service.samplesReady;
  const made = draftsOf(service.store).versions;
  const day = 86_400_000;
  nowMs += day;
  expect(await service.lifecycle.tick()).toBe(true);
  expect(draftsOf(service.store).versions).toEqual(made);
  nowMs += 30 * day;
  expect(await service.lifecycle.tick()).toBe(true);
  const left = draftsOf(service.store).versions;
  expect(left.filter(([key]) => key !== 'scratch/can go.txt')).toEqual(
    made.filter(([key]) => key !== 'scratch/can go.txt'),
  );
  expect(left).toContainEqual(['scratch/can go.txt', true]);
});

test('drafts left half created by a crash are created again, not twice', async () => {
  const store = new Store(tempDir());
  onTestFinished(() => store.close());
  await draftVersions(store, Date.now());
  const whole = draftsOf(store);
  store.deleteObject(whole.bucketId, 'poems/tide.txt');
  await draftVersions(store, Date.now());
  expect(draftsOf(store)).toEqual(whole);
});

test("a user's own bucket named like the drafts is left unchanged", async () => {
  const store = new Store(tempDir());
  onTestFinished(() => store.close());
  const bucketId = store.buckets.create('drafts', 0)?.id ?? 0;
  await store.putBytes(bucketId, 'poems/tide.txt', Buffer.from('mine'), { modifiedMs: 0 });
  await draftVersions(store, Date.now());
  expect(draftsOf(store)).toEqual({ bucketId, versions: [['poems/tide.txt', false]], rules: null });
  expect(store.buckets.get('drafts')?.versioning).toBe('Never');
});

test('an existing local file is never overwritten by the samples', async () => {
  const filesDir = join(tempDir(), 'files');
  mkdirSync(filesDir);
  writeFileSync(join(filesDir, 'buoys-2025.csv'), 'mine');
  const service = await serve({ samples: { filesDir, logCount: 5 } });
  await service.samplesReady;
  expect(readFileSync(join(filesDir, 'buoys-2025.csv'), 'utf8')).toBe('mine');
});
