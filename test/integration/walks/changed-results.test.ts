import { expect, onTestFinished, test } from 'vitest';
import { everyObject, type WalkQuery } from '../../../shared/models/walks.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';

const needles: WalkQuery = {
  ...everyObject,
  name: { kind: 'contains', text: 'needle', caseSensitive: false, in: 'name' },
};
const inKeyOrder = { by: 'key', descending: false } as const;
const ask = { onConflict: 'ask', isMove: false } as const;

/** Starts a core with the buckets `searched`, which has these keys, and `other`. Finished jobs are awaited by `settle`. */
async function rig(keys: readonly string[], isVersioned = false) {
  const service = await serviceUnderTest();
  for (const name of ['searched', 'other']) {
    const bucket = service.store.buckets.create(name, 0);
    if (bucket === null) throw new Error('The bucket already exists.');
    if (isVersioned) service.store.setVersioning(bucket.id, 'Enabled');
    if (name === 'searched')
      for (const key of keys)
        await service.store.putBytes(bucket.id, key, Buffer.from(key), { modifiedMs: 1e12 });
  }
  const { client } = coreUnderTest();
  const { id: connectionId } = await client.connections.create(inputFor(service.endpoint));
  const place = { connectionId, bucket: 'searched' };
  const settle = async (jobId: string | null) => {
    const aborter = new AbortController();
    onTestFinished(() => aborter.abort());
    for await (const _ of await client.jobs.watch(undefined, { signal: aborter.signal })) {
      const job = await client.jobs.get({ jobId: jobId ?? '' });
      if (['done', 'needs-attention'].includes(job.state)) return job;
    }
    throw new Error('The core reported nothing more.');
  };
  const search = async (prefix = '') => {
    const { walkId } = await client.walks.start({ ...place, prefix, query: needles });
    const status = async () => {
      let last = null;
      for await (const next of await client.walks.watch({ walkId })) last = next;
      return last;
    };
    await status();
    const results = async (): Promise<readonly string[]> =>
      (await client.walks.read({ walkId, offset: 0, limit: 100, sort: inKeyOrder })).rows.map(
        ({ key }) => key,
      );
    return { walkId, status, results };
  };
  const undo = async (): Promise<void> => {
    const { undo: next } = await client.operations.undoState();
    await settle((await client.operations.undo({ id: next?.id ?? '' })).jobId);
  };
  return { client, place, settle, search, undo };
}

const keyItems = (...keys: readonly string[]): SelectionItem[] => keys.map((key) => ({ kind: 'key', key }));

test('objects that a job deleted leave the results and their sums, and only these', async () => {
  const { client, place, settle, search } = await rig(['a/needle-1', 'a/needle-2', 'needle-3', 'other']);
  const { results, status, walkId } = await search();
  const { jobId } = await client.operations.delete({
    ...place,
    items: keyItems('a/needle-1', 'other'),
    versions: 'markers',
  });
  await settle(jobId);
  expect(await results()).toEqual(['a/needle-2', 'needle-3']);
  expect(await status()).toMatchObject({ matches: 2, matchedBytes: 18, isOutdated: false, state: 'done' });
  expect(await client.walks.present({ walkId, keys: ['a/needle-1', 'needle-3'] })).toEqual(['needle-3']);
});

test('all results that are deleted as such leave the list, and an undo of the deletion brings them back', async () => {
  const { client, place, settle, search, undo } = await rig(['a/needle-1', 'needle-2', 'other'], true);
  const { results, status, walkId } = await search();
  const items = [{ kind: 'walk', walkId } as const];
  const { jobId } = await client.operations.delete({ ...place, items, versions: 'markers' });
  expect(await settle(jobId)).toMatchObject({ state: 'done', isOfSearch: true });
  expect(await results()).toEqual([]);
  expect(await status()).toMatchObject({ matches: 0, matchedBytes: 0, isOutdated: false });
  await undo();
  expect(await results()).toEqual(['a/needle-1', 'needle-2']);
  expect(await status()).toMatchObject({ matches: 2, matchedBytes: 18, isOutdated: false });
});

test('objects of which all versions were deleted leave the results', async () => {
  const { client, place, settle, search } = await rig(['needle-1', 'needle-2'], true);
  const { results } = await search();
  const items = keyItems('needle-1');
  await settle((await client.operations.delete({ ...place, items, versions: 'all-versions' })).jobId);
  expect(await results()).toEqual(['needle-2']);
});

test('a renamed or moved object has its new key in the results, until an undo', async () => {
  const { client, place, settle, search, undo } = await rig(['a/needle-1', 'needle-2']);
  const { results, status } = await search();
  const item = { kind: 'key', key: 'a/needle-1' } as const;
  const renamed = { ...place, item, newName: 'thread', onConflict: 'ask' } as const;
  await settle((await client.operations.rename(renamed)).jobId);
  expect(await results()).toEqual(['a/thread', 'needle-2']);
  expect(await status()).toMatchObject({ matches: 2, isOutdated: false });
  await undo();
  expect(await results()).toEqual(['a/needle-1', 'needle-2']);
});

test('an object that is moved out of the searched folder or bucket leaves the results, until an undo', async () => {
  const { client, place, settle, search, undo } = await rig(['a/needle-1', 'a/needle-2']);
  const { results, status } = await search('a/');
  const isMove = { onConflict: 'ask', isMove: true } as const;
  const from = { ...place, basePrefix: 'a/' };
  const toTop = { from, items: keyItems('a/needle-1'), to: { ...place, prefix: '' }, options: isMove };
  await settle((await client.operations.copy(toTop)).jobId);
  expect(await results()).toEqual(['a/needle-2']);
  const to = { ...place, bucket: 'other', prefix: '' };
  await settle(
    (await client.operations.copy({ from, items: keyItems('a/needle-2'), to, options: isMove })).jobId,
  );
  expect(await results()).toEqual([]);
  expect(await status()).toMatchObject({ matches: 0, isOutdated: false });
  await undo();
  expect(await results()).toEqual(['a/needle-2']);
  expect(await status()).toMatchObject({ matches: 1, isOutdated: false });
});

test('a search is out of date once objects were copied or moved into its folder, which it has not found', async () => {
  const { client, place, settle, search } = await rig(['a/needle-1', 'b/x', 'b/y', 'c/needle-2']);
  const [inA, inC] = [await search('a/'), await search('c/')];
  const from = { ...place, basePrefix: 'b/' };
  const to = { ...place, prefix: 'a/' };
  await settle((await client.operations.copy({ from, items: keyItems('b/x'), to, options: ask })).jobId);
  expect(await inA.status()).toMatchObject({ isOutdated: true, matches: 1 });
  expect(await inC.status()).toMatchObject({ isOutdated: false });
  const toC = { ...place, prefix: 'c/' };
  const options = { onConflict: 'ask', isMove: true } as const;
  await settle((await client.operations.copy({ from, items: keyItems('b/y'), to: toC, options })).jobId);
  expect(await inC.status()).toMatchObject({ isOutdated: true, matches: 1 });
  const again = await search('a/');
  expect(await again.status()).toMatchObject({ isOutdated: false });
});

test('an object that a job could not delete stays in the results', async () => {
  const { client, place, settle, search } = await rig(['needle-1', 'needle-2']);
  const { results } = await search();
  const { jobId } = await client.operations.delete({
    ...place,
    bucket: 'missing',
    items: keyItems('needle-1'),
    versions: 'markers',
  });
  expect(await settle(jobId)).toMatchObject({ state: 'needs-attention' });
  expect(await results()).toEqual(['needle-1', 'needle-2']);
});
