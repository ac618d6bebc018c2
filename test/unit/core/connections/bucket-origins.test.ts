import { describe, expect, test } from 'vitest';
import { accountOfKey } from '../../../../electron/core/connections/bucket-origins.ts';
import { createBucketOrigins } from '../../../../electron/core/connections/bucket-origins.ts';
import {
  isSameOrigin,
  parseBucketOrigin,
  printOrigin,
} from '../../../../electron/core/s3/model/bucket-origin.ts';
import type { Bucket } from '../../../../electron/core/s3/model/listing-types.ts';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { failure } from '../../../../shared/errors.ts';

const origin = { endpoint: 'https://a', account: 'k', createdAt: '2026-01-01T00:00:00.000Z' };

test('two buckets are the same if endpoint and creation date match, or the account if no date is known', () => {
  expect(isSameOrigin(origin, { ...origin, account: 'another key' })).toBe(true);
  expect(isSameOrigin(origin, { ...origin, createdAt: '2026-02-01T00:00:00.000Z' })).toBe(false);
  expect(isSameOrigin(origin, { ...origin, endpoint: 'https://b' })).toBe(false);
  expect(isSameOrigin({ ...origin, createdAt: null }, origin)).toBe(true);
  expect(isSameOrigin({ ...origin, createdAt: null }, { ...origin, account: 'another key' })).toBe(false);
  expect(parseBucketOrigin(printOrigin(origin))).toEqual(origin);
  expect(parseBucketOrigin('')).toBeNull();
});

test('the account is decoded from AWS access keys and unknown for other keys', () => {
  // A key published with its account. The example in AWS's documentation of GetAccessKeyInfo names no account.
  expect(accountOfKey('ASIAY34FZKBOKMUTVV7A')).toBe('609629065308');
  expect(accountOfKey('minioadmin')).toBeNull();
});

const originsOf = (
  endpoint: string,
  listBuckets: S3Client['listBuckets'],
  known: Promise<readonly Bucket[]> | null = null,
) => {
  let nowMs = 0;
  const stored = { endpoint, auth: { kind: 'keys', accessKeyId: 'k' } };
  const origins = createBucketOrigins({
    connections: { load: () => Promise.resolve({ stored, secrets: {} } as never) },
    client: () => Promise.resolve({ listBuckets } as S3Client),
    bucketLists: { known: () => known },
    clock: { monotonicMs: () => nowMs },
  });
  return { origins, wait: (ms: number) => (nowMs += ms) };
};
const bucket = (createdAt: string) => [{ name: 'b', createdAt, region: null }];

describe('the origin of a bucket', () => {
  const place = { connectionId: 'c', bucket: 'b' };

  test('has the creation date that the service lists, requested at most once a minute', async () => {
    let lists = 0;
    const { origins, wait } = originsOf('https://s3.example.com', () => {
      lists += 1;
      return Promise.resolve(bucket(`2026-01-0${String(lists)}T00:00:00.000Z`));
    });
    expect(await origins.of(place)).toMatchObject({ account: 'k', createdAt: '2026-01-01T00:00:00.000Z' });
    await origins.of(place);
    expect(lists).toBe(1);
    wait(61_000);
    expect(await origins.of(place)).toMatchObject({ createdAt: '2026-01-02T00:00:00.000Z' });
    origins.drop('c');
    expect(await origins.of(place)).toMatchObject({ createdAt: '2026-01-03T00:00:00.000Z' });
  });

  test('has the creation date of a list that is known already, without a request', async () => {
    const list = Promise.resolve(bucket('2026-01-05T00:00:00.000Z'));
    const { origins } = originsOf(
      'https://s3.example.com',
      () => Promise.reject(failure('internal', 'Sent.')),
      list,
    );
    expect(await origins.of(place)).toMatchObject({ createdAt: '2026-01-05T00:00:00.000Z' });
  });

  test('has no date on AWS, on Swift and if buckets may not be listed', async () => {
    const aws = originsOf('https://s3.eu-west-1.amazonaws.com', () =>
      Promise.resolve(bucket('2026-01-01T00:00:00.000Z')),
    );
    const swift = originsOf('https://swift', () => Promise.resolve(bucket('2009-02-03T16:45:09.000Z')));
    const denied = originsOf('https://x', () => Promise.reject(failure('access-denied', 'No.')));
    for (const { origins } of [aws, swift, denied])
      expect(await origins.of(place)).toMatchObject({ createdAt: null });
  });
});
