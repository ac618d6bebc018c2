import { existsSync, globSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createThumbnailCache } from '../../../electron/core/thumbnails/thumbnails.ts';
import { tempDir } from '../../support/temp-dir.ts';

const content = (text: string, bytes = 1000): Uint8Array => Buffer.alloc(bytes, text);

function cacheIn(dir: string, limit = 100_000) {
  const seen = { nowMs: 1e12, limit, warned: [] as string[], ids: 0 };
  const cache = createThumbnailCache({
    dir,
    limitBytes: () => seen.limit,
    clock: { nowMs: () => seen.nowMs },
    random: { id: () => `id-${String((seen.ids += 1))}` },
    logger: { warn: (message) => seen.warned.push(message) },
  });
  return { cache, seen };
}

const filesIn = (dir: string): readonly string[] =>
  globSync('**/*', { cwd: dir, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

test('a cached thumbnail is found again, also after a restart, and readable only by its owner', async () => {
  const dir = path.join(tempDir(), 'thumbnails');
  const { cache } = cacheIn(dir);
  expect(await cache.get('aaaa-0001')).toBeNull();
  await cache.put('aaaa-0001', content('one'));
  expect(await cache.get('aaaa-0001')).toEqual(content('one'));
  const again = cacheIn(dir).cache;
  expect(await again.get('aaaa-0001')).toEqual(content('one'));
  const [file = ''] = filesIn(dir);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(statSync(path.dirname(file)).mode & 0o077).toBe(0);
});

test('the thumbnail cache evicts the least recently used above its limit', async () => {
  const dir = tempDir();
  const { cache, seen } = cacheIn(dir, 3500);
  for (const name of ['aaaa-0001', 'aaaa-0002', 'aaaa-0003']) await cache.put(name, content(name));
  await cache.get('aaaa-0001');
  await cache.put('aaaa-0004', content('four'));
  expect(await cache.get('aaaa-0002')).toBeNull();
  expect(await cache.get('aaaa-0001')).not.toBeNull();
  const use = await cache.use();
  expect(use.count).toBe(3);
  expect(use.sizeBytes).toBe(filesIn(dir).reduce((sum, file) => sum + statSync(file).size, 0));
  // A smaller limit applies at once, and a limit of 0 keeps nothing.
  seen.limit = 1500;
  expect((await cache.use()).count).toBe(1);
  seen.limit = 0;
  expect(await cache.use()).toEqual({ count: 0, sizeBytes: 0 });
  await cache.put('aaaa-0005', content('five'));
  expect(filesIn(dir)).toEqual([]);
});

test('the thumbnail cache remembers the last use over a restart', async () => {
  const dir = tempDir();
  const { cache } = cacheIn(dir);
  for (const name of ['aaaa-0001', 'aaaa-0002']) await cache.put(name, content(name));
  for (const file of filesIn(dir)) {
    const seconds = file.includes('0001') ? 2000 : 1000;
    utimesSync(file, seconds, seconds);
  }
  const later = cacheIn(dir, 1500).cache;
  expect((await later.use()).count).toBe(1);
  expect(await later.get('aaaa-0001')).toEqual(content('aaaa-0001'));
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['empty', () => Buffer.alloc(0)],
  ['changed', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')])],
  ['of another kind', () => Buffer.from('<svg onload="alert(1)"/>')],
])('a cached thumbnail that is %s is a miss and is removed', async (_, damage) => {
  const dir = tempDir();
  await cacheIn(dir).cache.put('aaaa-0001', content('one'));
  const [file = ''] = filesIn(dir);
  writeFileSync(file, damage(readFileSync(file)));
  const { cache, seen } = cacheIn(dir);
  expect(await cache.get('aaaa-0001')).toBeNull();
  expect(seen.warned).toHaveLength(1);
  expect(existsSync(file)).toBe(false);
  await cache.put('aaaa-0001', content('new'));
  expect(await cache.get('aaaa-0001')).toEqual(content('new'));
});

test('a thumbnail of an older version of Cooper is a miss and is made again', async () => {
  const dir = tempDir();
  await cacheIn(dir).cache.put('aaaa-0001', content('one'));
  const [file = ''] = filesIn(dir);
  const bytes = readFileSync(file);
  bytes.write('1', bytes.indexOf('\n') - 1);
  writeFileSync(file, bytes);
  const { cache, seen } = cacheIn(dir);
  expect(await cache.get('aaaa-0001')).toBeNull();
  expect(seen.warned).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

test('a truncated write is removed, and a missing file is a miss', async () => {
  const dir = tempDir();
  const first = cacheIn(dir).cache;
  await first.put('aaaa-0001', content('one'));
  const [file = ''] = filesIn(dir);
  writeFileSync(`${file}.id-9.new`, 'half');
  const { cache } = cacheIn(dir);
  expect((await cache.use()).count).toBe(1);
  expect(filesIn(dir)).toEqual([file]);
  await first.clear();
  expect(await cache.get('aaaa-0001')).toBeNull();
});

test('clearing removes all thumbnails, and removing a connection removes its own', async () => {
  const dir = tempDir();
  const { cache } = cacheIn(dir);
  for (const name of ['aaaa-0001', 'aaaa-0002', 'bbbb-0001']) await cache.put(name, content(name));
  await cache.removeAll('aaaa-');
  expect((await cache.use()).count).toBe(1);
  expect(await cache.get('bbbb-0001')).not.toBeNull();
  await cache.clear();
  expect(filesIn(dir)).toEqual([]);
});

test('a thumbnail name that would leave the folder is refused', async () => {
  const { cache } = cacheIn(tempDir());
  await expect(cache.put('../../secrets', content('one'))).rejects.toThrow('is not the name of a thumbnail');
});
