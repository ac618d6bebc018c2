import { array, assert, constantFrom, property, record, string, nat } from 'fast-check';
import { expect, test } from 'vitest';
import { mergeBuckets } from '../../../../electron/core/browse/list-buckets.ts';
import { folderPageOf } from '../../../../electron/core/browse/folder.ts';
import type { ListedObject, ListObjectsPage } from '../../../../electron/core/s3/model/listing-types.ts';

const object = (key: string, sizeBytes = 0): ListedObject => ({
  key,
  sizeBytes,
  lastModified: null,
  etag: null,
  storageClass: null,
});
const page = (objects: readonly ListedObject[]): ListObjectsPage => ({
  objects,
  commonPrefixes: ['dir/a/'],
  nextPageToken: 'next',
  unreadable: [],
  foreign: [],
});

test("a folder page hides the folder's own zero-byte object and reports that it exists", () => {
  expect(folderPageOf(page([object('dir/'), object('dir/b')]), 'dir/')).toEqual({
    commonPrefixes: ['dir/a/'],
    objects: [object('dir/b')],
    nextPageToken: 'next',
    hasPlaceholder: true,
    unreadable: [],
    foreign: { count: 0, example: null },
  });
});

test.each([
  ['other keys that end in a slash', 'dir/', object('dir/other/')],
  ['an object of that name with data', 'dir/', object('dir/', 7)],
  ['a key equal to a name prefix without a slash', 'di', object('di')],
  ['the object with an empty segment below the folder', 'dir/', object('dir//')],
])('a folder page keeps %s', (_what, prefix, kept) => {
  expect(folderPageOf(page([kept]), prefix)).toMatchObject({ objects: [kept], hasPlaceholder: false });
});

test('a folder page hides at most the placeholder and keeps the order of the other objects', () => {
  const keys = record({ key: string(), sizeBytes: nat(2) });
  assert(
    property(array(keys), constantFrom('', '/', 'a/', 'a'), (given, prefix) => {
      const objects = given.map(({ key, sizeBytes }) => object(prefix + key, sizeBytes));
      const shown = folderPageOf(page(objects), prefix).objects;
      const hidden = objects.filter((object) => !shown.includes(object));
      expect(hidden.length).toBeLessThanOrEqual(1);
      expect(
        hidden.every(({ key, sizeBytes }) => key === prefix && sizeBytes === 0 && prefix.endsWith('/')),
      ).toBe(true);
      expect(shown).toEqual(objects.filter((object) => shown.includes(object)));
    }),
  );
});

test('typed buckets are listed after those of the service, without duplicates', () => {
  const listed = [
    { name: 'b', createdAt: null, region: 'eu-west-1' },
    { name: 'a', createdAt: '2026-01-01T00:00:00.000Z', region: null },
  ];
  expect(mergeBuckets(listed, { typed: ['a', 'typed'], start: { bucket: 'b', prefix: 'team/' } })).toEqual([
    { name: 'b', createdAt: null, region: 'eu-west-1', source: 'listed', startPrefix: '' },
    { name: 'a', createdAt: '2026-01-01T00:00:00.000Z', region: null, source: 'listed', startPrefix: '' },
    { name: 'typed', createdAt: null, region: null, source: 'typed', startPrefix: '' },
  ]);
});
