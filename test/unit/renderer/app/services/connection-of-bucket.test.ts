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

test('an address opens with the one connection that lists its bucket, whichever is first', () => {
  expect(ownerOf('logs', lists)).toEqual({ kind: 'one', connectionId: 'work' });
});

test('an address is asked about where several connections list its bucket, and where none does', () => {
  expect(ownerOf('photos', lists)).toEqual({ kind: 'ask', having: ['samples', 'work'] });
  expect(ownerOf('elsewhere', lists)).toEqual({ kind: 'ask', having: [] });
});

test('the only connection opens every address, also a bucket that it does not list', () => {
  expect(ownerOf('public', [{ connectionId: 'work', buckets: null }])).toEqual({
    kind: 'one',
    connectionId: 'work',
  });
});

test('a connection that cannot be reached does not keep the others from answering', async () => {
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
