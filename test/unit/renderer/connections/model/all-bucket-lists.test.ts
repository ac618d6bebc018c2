import type { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import {
  AllBucketLists,
  type BucketListing,
} from '../../../../../renderer/features/connections/model/all-bucket-lists.ts';
import { createQueryClient } from '../../../../../renderer/rpc/query-client.ts';
import type { BucketList } from '../../../../../shared/models/objects.ts';

const path = ['buckets', 'list'];
const keyOf = (connectionId: string) => [path, { type: 'query', input: { connectionId } }];
const list = (name: string): BucketList => ({
  buckets: [{ name, createdAt: null, source: 'listed', startPrefix: '' } as BucketList['buckets'][number]],
  error: null,
});

interface Call {
  readonly id: string;
  readonly signal: AbortSignal;
  resolve(value: BucketList): void;
  reject(error: Error): void;
}

function setUp(count: number) {
  const queries: QueryClient = createQueryClient();
  const calls: Call[] = [];
  const ids = Array.from({ length: count }, (_, at) => `c${String(at)}`);
  const listing: BucketListing = {
    allKey: [path],
    staleMs: 60_000,
    queryOf: (id) => ({
      queryKey: keyOf(id),
      staleTime: 60_000,
      queryFn: async ({ signal }) =>
        await new Promise<BucketList>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          calls.push({ id, signal, resolve, reject });
        }),
    }),
  };
  return { queries, calls, ids, lists: new AllBucketLists(queries, ids, listing) };
}

const turn = async (): Promise<void> => {
  for (let at = 0; at < 20; at += 1) await Promise.resolve();
};

test('1,000 connections are listed six at a time, without an observer of each list', async () => {
  const { queries, calls, ids, lists } = setUp(1000);
  const stop = lists.subscribe(() => undefined);
  await turn();
  expect(calls).toHaveLength(6);
  // Queries of lists that are not requested yet do not exist.
  expect(queries.getQueryCache().getAll()).toHaveLength(6);
  let highest = 0;
  for (let at = 0; at < calls.length; at += 1) {
    highest = Math.max(highest, calls.length - at);
    const call = calls[at];
    if (at % 10 === 9) call?.reject(new Error('refused'));
    else call?.resolve(list(`bucket of ${call.id}`));
    await turn();
  }
  expect(highest).toBe(6);
  expect(calls.map(({ id }) => id)).toEqual(ids);
  const kinds = ids.map((id) => lists.states().get(id)?.kind);
  expect(kinds.filter((kind) => kind === 'failed')).toHaveLength(100);
  expect(kinds.filter((kind) => kind === 'known')).toHaveLength(900);
  expect(lists.states().get('c0')).toMatchObject({ buckets: [{ name: 'bucket of c0' }] });
  const observers = queries
    .getQueryCache()
    .getAll()
    .map((query) => query.getObserversCount());
  expect(Math.max(...observers)).toBe(0);
  stop();
});

test('the states change only when a list does', async () => {
  const { calls, lists } = setUp(2);
  let changes = 0;
  const stop = lists.subscribe(() => {
    changes += 1;
  });
  await turn();
  const before = lists.states();
  expect(lists.states()).toBe(before);
  const heard = changes;
  calls[0]?.resolve(list('a'));
  await vi.waitFor(() => expect(changes).toBeGreaterThan(heard));
  expect(lists.states()).not.toBe(before);
  expect(before.get('c0')?.kind).toBe('loading');
  stop();
});

test('the end of the last use aborts requests in flight and sends no other', async () => {
  const { queries, calls, lists } = setUp(20);
  const stops = [lists.subscribe(() => undefined), lists.subscribe(() => undefined)];
  await turn();
  stops[0]?.();
  expect(calls.some(({ signal }) => signal.aborted)).toBe(false);
  stops[1]?.();
  await turn();
  expect(calls.map(({ signal }) => signal.aborted)).toEqual(Array.from({ length: 6 }, () => true));
  expect(calls).toHaveLength(6);
  expect(queries.isFetching()).toBe(0);

  // The next use begins again.
  const stop = lists.subscribe(() => undefined);
  await turn();
  expect(calls.slice(6).map(({ id }) => id)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
  stop();
});

test('known lists are not requested, failed ones are requested on each use', async () => {
  const { queries, calls, lists } = setUp(3);
  queries.setQueryData(keyOf('c0'), list('known'));
  const first = lists.subscribe(() => undefined);
  await turn();
  expect(lists.states().get('c0')?.kind).toBe('known');
  expect(calls.map(({ id }) => id)).toEqual(['c1', 'c2']);
  calls[0]?.reject(new Error('refused'));
  calls[1]?.resolve(list('other'));
  await vi.waitFor(() => expect(lists.states().get('c1')?.kind).toBe('failed'));
  await vi.waitFor(() => expect(lists.states().get('c2')?.kind).toBe('known'));
  first();
  // A failed list is loading until its request has ended, so that Enter waits for it.
  expect(lists.states().get('c1')?.kind).toBe('loading');
  const second = lists.subscribe(() => undefined);
  expect(lists.states().get('c1')?.kind).toBe('loading');
  await turn();
  expect(calls.slice(2).map(({ id }) => id)).toEqual(['c1']);
  second();
});

test('a list that is invalidated or reset while it is in use is requested again', async () => {
  const { queries, calls, lists } = setUp(1);
  const stop = lists.subscribe(() => undefined);
  await turn();
  calls[0]?.resolve(list('first'));
  await vi.waitFor(() => expect(lists.states().get('c0')?.kind).toBe('known'));
  await queries.invalidateQueries({ queryKey: [path] });
  await turn();
  expect(calls).toHaveLength(2);
  expect(lists.states().get('c0')).toMatchObject({ buckets: [{ name: 'first' }] });
  calls[1]?.resolve(list('second'));
  await vi.waitFor(() => expect(lists.states().get('c0')).toMatchObject({ buckets: [{ name: 'second' }] }));
  await queries.resetQueries({ queryKey: keyOf('c0') });
  await turn();
  expect(calls).toHaveLength(3);
  expect(lists.states().get('c0')?.kind).toBe('loading');
  stop();
});

test('a list that leaves the cache while it is in use stays known', async () => {
  const { queries, calls, lists } = setUp(1);
  const stop = lists.subscribe(() => undefined);
  await turn();
  calls[0]?.resolve(list('kept'));
  await vi.waitFor(() => expect(lists.states().get('c0')?.kind).toBe('known'));
  queries.removeQueries({ queryKey: [path] });
  await turn();
  expect(lists.states().get('c0')).toMatchObject({ buckets: [{ name: 'kept' }] });
  expect(calls).toHaveLength(1);
  stop();
});
