import { expect, test } from 'vitest';
import { createThumbnails } from '../../../electron/core/thumbnails/thumbnails.ts';
import type { Ticketed } from '../../../electron/core/bytes/tickets.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { filesHolding } from '../../support/files/files-holding.ts';
import { tempDir } from '../../support/temp-dir.ts';

const object = { connectionId: 'c1', bucket: 'photos', key: 'a/b.jpg', etag: '"1"', sizeBytes: 5000 };
const picture = Buffer.from('a small picture');

function thumbnailsIn(dir: string, keyed: readonly string[] = [], origin = 'here') {
  const issued: Ticketed[] = [];
  const thumbnails = createThumbnails({
    dir,
    tickets: {
      issue: (ticketed) => {
        issued.push(ticketed);
        return `/bytes/${String(issued.length)}`;
      },
    },
    cacheBytes: () => 1e6,
    hasCustomerKeys: async (_, bucket) => await Promise.resolve(keyed.includes(bucket)),
    originOf: () => Promise.resolve(origin),
    ...fakePorts(),
  });
  return { thumbnails, issued };
}

test('an object without a cached thumbnail gets a ticket for its listed version', async () => {
  const { thumbnails, issued } = thumbnailsIn(tempDir());
  expect(await thumbnails.find(object)).toEqual({ kind: 'object', path: '/bytes/1' });
  expect(issued).toEqual([
    {
      ref: { connectionId: 'c1', bucket: 'photos', key: 'a/b.jpg' },
      etag: '"1"',
      sizeBytes: 5000,
      shownAs: 'application/octet-stream',
    },
  ]);
});

test('a cached thumbnail is found only for its version, key and connection', async () => {
  const { thumbnails } = thumbnailsIn(tempDir());
  await thumbnails.keep(object, picture);
  expect(await thumbnails.find(object)).toEqual({ kind: 'kept', contentBase64: picture.toString('base64') });
  for (const other of [{ etag: '"2"' }, { key: 'a/c.jpg' }, { bucket: 'others' }, { connectionId: 'c2' }])
    expect((await thumbnails.find({ ...object, ...other })).kind).toBe('object');
  await thumbnails.keep({ ...object, connectionId: 'c2' }, picture);
  await thumbnails.forget('c1');
  expect((await thumbnails.find(object)).kind).toBe('object');
  expect((await thumbnails.find({ ...object, connectionId: 'c2' })).kind).toBe('kept');
});

test('no thumbnail is cached without an ETag or for a bucket with customer keys', async () => {
  const dir = tempDir();
  const { thumbnails } = thumbnailsIn(dir, ['locked']);
  await thumbnails.keep({ ...object, etag: null }, picture);
  await thumbnails.keep({ ...object, bucket: 'locked' }, picture);
  expect((await thumbnails.use()).count).toBe(0);
  expect(filesHolding(dir, 'small picture')).toEqual([]);
  // A thumbnail stored earlier is not returned after a customer key was added.
  await thumbnails.keep(object, picture);
  expect((await thumbnailsIn(dir, ['photos']).thumbnails.find(object)).kind).toBe('object');
});

test('a cached thumbnail is hidden while the connection points to another service or account', async () => {
  const dir = tempDir();
  await thumbnailsIn(dir).thumbnails.keep(object, picture);
  expect((await thumbnailsIn(dir).thumbnails.find(object)).kind).toBe('kept');
  expect((await thumbnailsIn(dir, [], 'elsewhere').thumbnails.find(object)).kind).toBe('object');
  expect((await thumbnailsIn(dir).thumbnails.find(object)).kind).toBe('kept');
});
