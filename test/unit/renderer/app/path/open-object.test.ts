import { expect, test } from 'vitest';
import { findObject, linkedObject } from '../../../../../renderer/app/path/open-object.ts';
import { readTyped } from '../../../../../renderer/app/path/read-typed.ts';
import type { CoreClient } from '../../../../../shared/contract/index.ts';
import { failure } from '../../../../../shared/errors.ts';

const connections = [
  { id: 'lab', provider: 'custom', endpoint: 'http://127.0.0.1:9000' },
  { id: 'us', provider: 'aws', endpoint: 'https://s3.us-east-1.amazonaws.com' },
  { id: 'profile', provider: 'aws', endpoint: '' },
  { id: 'base', provider: 'custom', endpoint: 'https://x.supabase.co/storage/v1/s3' },
  { id: 'r2', provider: 'r2', endpoint: 'https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com' },
];
const linked = (text: string) => {
  const typed = readTyped(text);
  return typed?.kind === 'web' ? linkedObject(typed.address, connections) : 'no web address';
};

test('the web address of an object leads to the connections of its service', () => {
  expect(linked('http://127.0.0.1:9000/photos/a%20b.jpg?X-Amz-Signature=1')).toEqual({
    bucket: 'photos',
    key: 'a b.jpg',
    connectionIds: ['lab'],
  });
  expect(linked(' https://photos.s3.eu-west-1.amazonaws.com/2024/a.jpg\n')).toEqual({
    bucket: 'photos',
    key: '2024/a.jpg',
    connectionIds: ['us', 'profile'],
  });
  expect(linked('http://photos.s3-website-us-east-1.amazonaws.com/a.jpg')).toMatchObject({
    bucket: 'photos',
    connectionIds: ['us', 'profile'],
  });
  expect(linked('https://x.supabase.co/storage/v1/s3/photos/a.jpg')).toMatchObject({
    bucket: 'photos',
    key: 'a.jpg',
    connectionIds: ['base'],
  });
  expect(linked('https://x.supabase.co/storage/v1/object/public/photos/a.jpg')).toMatchObject({
    bucket: 'photos',
    key: 'a.jpg',
    connectionIds: ['base'],
  });
});

test('a web address of a host that no connection reaches leads nowhere', () => {
  expect(linked('https://example.com/photos/a.jpg')).toBeNull();
  expect(linked('https://photos.storage.yandexcloud.net/a.jpg')).toBeNull();
  expect(linked('https://photos.ffffffffffffffffffffffffffffffff.r2.cloudflarestorage.com/a.jpg')).toBeNull();
  expect(linked('https://')).toBe('no web address');
});

test('a bucket is never named after the scheme of a web address', () => {
  expect(readTyped('https://')).toBeNull();
  expect(readTyped('https://exa mple/a')).toBeNull();
  expect(readTyped('photos/https://a')).toEqual({
    kind: 'place',
    address: { bucket: 'photos', prefix: 'https://a' },
  });
});

const core = (has: readonly string[]): CoreClient =>
  ({
    objects: {
      details: async ({ key }: { key: string }) => {
        if (!has.includes(key)) throw failure('not-found', 'No such key.');
        return await Promise.resolve({});
      },
      list: async () =>
        await Promise.resolve({ hasPlaceholder: false, commonPrefixes: [], objects: [{ key: 'x' }] }),
    },
  }) as never;

test('an object opens in its folder, and a key that does not exist as the prefix that it may be', async () => {
  const at = { bucket: 'photos', key: '2024/a.jpg' };
  expect(await findObject(core(['2024/a.jpg']), 'lab', at)).toMatchObject({
    place: { folder: '2024/', startsWith: '' },
    key: '2024/a.jpg',
  });
  expect(await findObject(core([]), 'lab', at)).toMatchObject({
    place: { folder: '2024/a.jpg/' },
    key: null,
  });
  expect(await findObject(core([]), 'lab', { ...at, key: '2024/' })).toMatchObject({
    place: { folder: '2024/' },
    key: null,
  });
});
