import { expect, test } from 'vitest';
import {
  listAllBuckets,
  ownerOf,
  type ListedBuckets,
} from '../../../../../renderer/app/services/connection-of-bucket.ts';
import type { CoreClient } from '../../../../../shared/contract/index.ts';

const lists: readonly ListedBuckets[] = [
  { connectionId: 'samples', buckets: ['photos'] },
  { connectionId: 'work', buckets: ['photos', 'logs'] },
  { connectionId: 'locked', buckets: null },
];

test('a link opens with the only connection that lists its bucket, in any order of responses', () => {
  expect(ownerOf('logs', lists)).toEqual({ kind: 'one', connectionId: 'work' });
});

test('a link asks for the connection if several list its bucket or none does', () => {
  expect(ownerOf('photos', lists)).toEqual({ kind: 'ask', having: ['samples', 'work'] });
  expect(ownerOf('elsewhere', lists)).toEqual({ kind: 'ask', having: [] });
});

test('a single connection opens every link, even to an unlisted bucket', () => {
  expect(ownerOf('public', [{ connectionId: 'work', buckets: null }])).toEqual({
    kind: 'one',
    connectionId: 'work',
  });
});

test('an unreachable connection does not prevent others from being considered', async () => {
  const core = {
    connections: { list: async () => await Promise.resolve([{ id: 'down' }, { id: 'up' }]) },
    buckets: {
      list: async ({ connectionId }: { readonly connectionId: string }) => {
        if (connectionId === 'down') throw new Error('unreachable');
        return await Promise.resolve({ buckets: [{ name: 'logs' }], error: null });
      },
    },
  } as unknown as CoreClient;
  expect(await listAllBuckets(core)).toEqual([
    { connectionId: 'down', buckets: null },
    { connectionId: 'up', buckets: ['logs'] },
  ]);
});
