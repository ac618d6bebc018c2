import { expect, test } from 'vitest';
import { typedPlaces } from '../../../../../renderer/app/palette/typed-place.ts';

const known = [
  {
    connectionId: 'lab',
    connectionName: 'Lab',
    provider: 'custom',
    endpoint: 'http://127.0.0.1:8000',
    buckets: ['photos', 'shared'],
  },
  {
    connectionId: 'aws',
    connectionName: 'AWS',
    provider: 'aws',
    endpoint: 'https://s3.amazonaws.com',
    buckets: ['media', 'shared'],
  },
];
const read = (text: string, current: string | null = null) =>
  typedPlaces(text, known, current).map(({ connectionId, bucket, prefix, isWeb }) => [
    connectionId,
    bucket,
    prefix,
    isWeb,
  ]);

test('an s3 address and a path open with the connections that list the bucket, the current one first', () => {
  expect(read('s3://shared/2026/')).toEqual([
    ['lab', 'shared', '2026/', false],
    ['aws', 'shared', '2026/', false],
  ]);
  expect(read('shared/2026', 'aws')[0]).toEqual(['aws', 'shared', '2026', false]);
});

test('an s3 address of a bucket that no connection lists opens with the current connection', () => {
  expect(read('s3://elsewhere/a', 'lab')).toEqual([['lab', 'elsewhere', 'a', false]]);
  expect(read('s3://elsewhere/a')).toEqual([]);
});

test('words and folders that name no listed bucket are not an address', () => {
  for (const text of ['photos', 'reports/2026', '2026/06', '/', 'a b/c'])
    expect([text, read(text, 'lab')]).toEqual([text, []]);
});

test('the URL of an object names its key, whichever connection is open', () => {
  expect(read('http://127.0.0.1:8000/photos/a%20b.jpg?X-Amz-Signature=1', 'aws')).toEqual([
    ['lab', 'photos', 'a b.jpg', true],
  ]);
  expect(read('https://media.s3.eu-west-1.amazonaws.com/a/')).toEqual([['aws', 'media', 'a/', true]]);
});

test('a URL of a known endpoint opens even if the bucket is not listed', () => {
  expect(read('http://127.0.0.1:8000/hidden/a.jpg')).toEqual([['lab', 'hidden', 'a.jpg', true]]);
});

test('a web address of an unknown host is not an address', () => {
  expect(read('https://cdn.example.org/photos/a.jpg')).toEqual([]);
});
