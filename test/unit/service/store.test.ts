import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DataFolderInUse, startService, Store } from '../../support/lab-service/server.ts';
import { startServiceInWorker } from '../../../electron/service/worker.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bucketWith, call, keys, pathOf, put, region, serve } from './harness.ts';

const large = Buffer.alloc(100_000, 'large');

function filesIn(dataDir: string): string[] {
  const blobs = join(dataDir, 'blobs');
  return readdirSync(blobs).flatMap((folder) => readdirSync(join(blobs, folder)));
}

describe("the service's data folder", () => {
  test('is refused to a second service with a clear error', async () => {
    const dataDir = tempDir();
    const service = await serve({ dataDir });
    await bucketWith(service, ['a']);
    const second = startService({ dataDir, credentials: [keys], region });
    await expect(second).rejects.toThrow(DataFolderInUse);
    await expect(second).rejects.toThrow(/already in use/);
    expect((await call(service, { path: '/bucket/a' })).text).toBe('a');
  });

  test('can be opened again after the service was closed, with all its objects', async () => {
    const dataDir = tempDir();
    const first = await serve({ dataDir });
    await bucketWith(first, ['a', '..']);
    await put(first, 'bucket', 'large', large);
    await first.close();
    const second = await serve({ dataDir });
    expect((await call(second, { path: '/bucket/..' })).text).toBe('..');
    expect((await call(second, { path: '/bucket/large' })).bytes.equals(large)).toBe(true);
  });

  test('keeps continuation tokens and upload ids valid over a restart', async () => {
    const dataDir = tempDir();
    const first = await serve({ dataDir });
    await bucketWith(first, ['a', 'b']);
    const page = await call(first, { path: '/bucket', query: { 'list-type': '2', 'max-keys': '1' } });
    const token = /<NextContinuationToken>([^<]+)/.exec(page.text)?.[1] ?? '';
    await first.close();
    const second = await serve({ dataDir });
    const next = await call(second, {
      path: '/bucket',
      query: { 'list-type': '2', 'continuation-token': token },
    });
    expect(next.text).toContain('<Key>b</Key>');
  });

  test('has file names independent of keys, and nothing is written outside of it', async () => {
    const outside = tempDir();
    const dataDir = join(outside, 'data');
    const service = await serve({ dataDir });
    service.store.buckets.create('bucket', 0);
    for (const key of ['../../evil', '/evil', 'CON', 'a\u0000b']) {
      expect((await call(service, { method: 'PUT', path: pathOf('bucket', key), body: large })).status).toBe(
        200,
      );
    }
    expect(readdirSync(outside)).toEqual(['data']);
    expect(filesIn(dataDir).every((name) => /^[0-9a-f-]{36}$/.test(name))).toBe(true);
    expect(filesIn(dataDir).length).toBe(4);
  });

  test('frees the disk space of overwritten, deleted and aborted data', async () => {
    const dataDir = tempDir();
    const service = await serve({ dataDir });
    await bucketWith(service, []);
    await put(service, 'bucket', 'a', large);
    await put(service, 'bucket', 'a', large);
    await expect.poll(() => filesIn(dataDir).length).toBe(1);
    await call(service, { method: 'PUT', path: '/bucket/b', headers: { 'x-amz-copy-source': '/bucket/a' } });
    await call(service, { method: 'DELETE', path: '/bucket/a' });
    expect(filesIn(dataDir).length).toBe(1);
    await call(service, { method: 'DELETE', path: '/bucket/b' });
    await expect.poll(() => filesIn(dataDir)).toEqual([]);
    const begun = await call(service, { method: 'POST', path: '/bucket/c', query: { uploads: '' } });
    const uploadId = /<UploadId>([^<]+)/.exec(begun.text)?.[1] ?? '';
    await call(service, {
      method: 'PUT',
      path: '/bucket/c',
      query: { uploadId, partNumber: '1' },
      body: large,
    });
    expect(filesIn(dataDir).length).toBe(1);
    await call(service, { method: 'DELETE', path: '/bucket/c', query: { uploadId } });
    await expect.poll(() => filesIn(dataDir)).toEqual([]);
  });

  test('keeps an object readable while it is being read, although overwritten or deleted', async () => {
    const dataDir = tempDir();
    const service = await serve({ dataDir });
    await bucketWith(service, []);
    await put(service, 'bucket', 'a', large);
    const bucketId = service.store.buckets.get('bucket')?.id ?? 0;
    const object = service.store.object(bucketId, 'a');
    const reader = service.store.contents.reader(object?.content ?? 0, 0, large.byteLength);
    await call(service, { method: 'DELETE', path: '/bucket/a' });
    const chunks: Buffer[] = [];
    for await (const chunk of reader.stream()) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(large)).toBe(true);
    expect(filesIn(dataDir).length).toBe(1);
    reader.release();
    await expect.poll(() => filesIn(dataDir)).toEqual([]);
  });

  test("is swept of a crash's leftovers at the start, but not of objects", async () => {
    const dataDir = tempDir();
    const first = new Store(dataDir);
    const bucketId = first.buckets.create('bucket', 0)?.id ?? 0;
    await first.putBytes(bucketId, 'a', large, { modifiedMs: 0 });
    await first.close();
    // Simulates a kill: a partly written file, and a renamed file without an index row.
    const unclean = new Store(dataDir);
    unclean.transaction(() => []);
    await unclean.close();
    writeFileSync(join(dataDir, 'incoming', 'half'), 'half');
    mkdirSync(join(dataDir, 'blobs', '00'), { recursive: true });
    const orphan = join(dataDir, 'blobs', '00', '00000000-0000-4000-8000-000000000000');
    writeFileSync(orphan, 'orphan');
    markUnclean(dataDir);
    const store = new Store(dataDir);
    onTestFinished(() => store.close());
    await store.swept;
    expect(existsSync(orphan)).toBe(false);
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([]);
    expect(filesIn(dataDir).length).toBe(1);
  });

  test('keeps the files of other programs, which do not stop the start', async () => {
    const dataDir = tempDir();
    const first = new Store(dataDir);
    await first.close();
    const blobs = join(dataDir, 'blobs');
    mkdirSync(join(blobs, '5a'));
    // Files of other programs occupy all of the service's folder names but one.
    const names = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'));
    const foreign = [
      ...names.filter((name) => name !== '5a').map((name) => join(blobs, name)),
      join(blobs, '.DS_Store'),
      join(blobs, '5a', 'Thumbs.db'),
    ];
    for (const file of foreign) writeFileSync(file, 'foreign');
    mkdirSync(join(dataDir, 'incoming', 'folder'));
    const orphan = join(blobs, '5a', '5a000000-0000-4000-8000-000000000000');
    writeFileSync(orphan, 'orphan');
    markUnclean(dataDir);
    const store = new Store(dataDir);
    onTestFinished(() => store.close());
    await store.swept;
    expect(foreign.filter((file) => existsSync(file))).toEqual(foreign);
    expect(existsSync(orphan)).toBe(false);
    const bucketId = store.buckets.create('bucket', 0)?.id ?? 0;
    await store.putBytes(bucketId, 'a', large, { modifiedMs: 0 });
    expect(store.object(bucketId, 'a')?.sizeBytes).toBe(large.byteLength);
  });

  test('a transaction of the store that fails halfway changes nothing', async () => {
    const store = new Store(tempDir());
    onTestFinished(() => store.close());
    const bucketId = store.buckets.create('bucket', 0)?.id ?? 0;
    await store.putBytes(bucketId, 'a', Buffer.from('before'), { modifiedMs: 0 });
    const object = {
      content: { kind: 'inline', bytes: Buffer.from('after') },
      sizeBytes: 5,
      etag: 'x',
      modifiedMs: 1,
      storageClass: 'STANDARD',
      attributes: { headers: {}, metadata: {} },
    } as const;
    expect(() => store.putObject(bucketId, 'a', object, refuse)).toThrow('refused');
    expect(store.object(bucketId, 'a')?.sizeBytes).toBe(6);
    await store.putBytes(bucketId, 'b', Buffer.from('works again'), { modifiedMs: 0 });
    expect(store.object(bucketId, 'b')?.sizeBytes).toBe(11);
  });
});

function refuse(): never {
  throw new Error('refused');
}

/** Opens the index without closing it properly, as after a kill. */
function markUnclean(dataDir: string): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const db = new DatabaseSync(join(dataDir, 'index.sqlite'));
  db.exec("DELETE FROM meta WHERE name = 'closed'");
  db.close();
}

describe('the service in a worker thread', () => {
  test('responds, creates its samples, locks the data folder and closes', async () => {
    const dataDir = tempDir();
    const options = { dataDir, credentials: [keys], region, samples: { filesDir: null, logCount: 10 } };
    const service = await startServiceInWorker(options);
    onTestFinished(() => service.close());
    await service.samplesReady;
    expect((await call(service, { path: '/' })).text).toContain('<Name>photos</Name>');
    await expect(startServiceInWorker(options)).rejects.toThrow(DataFolderInUse);
    await service.close();
    await expect(call(service, { path: '/' })).rejects.toThrow('ECONNREFUSED');
  });
});
