import { beforeEach, describe, expect, test } from 'vitest';
import type { Renamed, SelectionItem } from '../../../shared/models/operations.ts';
import type { ConflictPolicy } from '../../../shared/models/transfers.ts';
import { isResting } from '../../../electron/core/jobs/job.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile(
  (started) => {
    rig = started;
  },
  { timeouts: { firstByteMs: 500, inactivityMs: 500 } },
);
beforeEach(() => {
  rig.togetherFrom = 20;
});

function move(
  items: readonly SelectionItem[],
  basePrefix: string,
  prefix: string,
  more: { bucket?: string; connectionId?: string; onConflict?: ConflictPolicy } = {},
): string | null {
  return rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix },
    items,
    to: { connectionId: more.connectionId ?? 'c', bucket: more.bucket ?? rig.bucket, prefix },
    options: { onConflict: more.onConflict ?? 'ask', isMove: true },
  }).jobId;
}

function rename(item: Renamed, newName: string): string | null {
  return rig.operations.rename({ connectionId: 'c', bucket: rig.bucket, item, newName, onConflict: 'ask' })
    .jobId;
}

async function settle(jobId: string | null) {
  if (jobId === null) throw new Error('There was nothing to do.');
  return await rig.settle(jobId);
}

async function sortedKeys(bucket = rig.bucket): Promise<readonly string[]> {
  return (await rig.keys(bucket)).toSorted();
}

function asked(operation: string): number {
  return rig.service.faults.journal.filter((entry) => entry.operation === operation).length;
}

/** Waits until the condition holds while a job runs. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5000 && !holds(); turn += 1)
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
}

describe('renaming', () => {
  test('an object deletes the old key only after the new one is proved', async () => {
    await rig.put('f/a.txt', bytesOf(9, 1));
    rig.service.faults.clear();
    const job = await settle(rename({ kind: 'key', key: 'f/a.txt' }, 'b.txt'));
    expect(job).toMatchObject({ kind: 'move', isRename: true, state: 'done', outcome: 'renamed' });
    expect(await rig.keys()).toEqual(['f/b.txt']);
    const order = rig.service.faults.journal.map(({ operation, key }) => `${operation} ${key}`);
    const proved = order.lastIndexOf('HeadObject f/b.txt');
    expect(order.indexOf('CopyObject f/b.txt')).toBeLessThan(proved);
    expect(proved).toBeLessThan(order.indexOf('DeleteObject f/a.txt'));
  });

  test('a folder moves everything below it, and neither its neighbours nor the object of its name', async () => {
    for (const name of ['a', 'a/', 'a/x', 'a/y/z', 'ab/n', 'a-b']) await rig.put(name, Buffer.from(name));
    const job = await settle(rename({ kind: 'prefix', prefix: 'a/' }, 'new'));
    expect(job.state).toBe('done');
    expect(await sortedKeys()).toEqual(['a', 'a-b', 'ab/n', 'new/', 'new/x', 'new/y/z']);
  });

  test('to the same name does nothing', async () => {
    await rig.put('f/a', bytesOf(1, 1));
    expect(rename({ kind: 'key', key: 'f/a' }, 'a')).toBeNull();
    expect(rename({ kind: 'prefix', prefix: 'f/' }, 'f')).toBeNull();
    expect(move([{ kind: 'key', key: 'f/a' }], 'f/', 'f/')).toBeNull();
  });

  test('to an existing name asks and keeps the source until the user decides', async () => {
    await rig.put('a', bytesOf(3, 1));
    await rig.put('b', bytesOf(4, 2));
    const job = await settle(rename({ kind: 'key', key: 'a' }, 'b'));
    expect(job).toMatchObject({ reason: 'conflicts' });
    expect(await sortedKeys()).toEqual(['a', 'b']);
    rig.transfers.answer(job.id, [{ seq: null, action: 'overwrite' }]);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual(['b']);
    expect((await rig.object('b'))?.byteLength).toBe(3);
  });
});

describe('moving', () => {
  test.each([
    ['a/b/', '', 'a/b/c/'],
    ['a/', '', 'a/'],
    ['a/', '', 'a/x/'],
    ['', '', 'x/'],
  ])('%j into itself is refused with a message', (prefix, base, to) => {
    expect(() => move([{ kind: 'prefix', prefix }], base, to)).toThrow(/into itself/);
  });

  test('between buckets and through this computer transfers everything and leaves nothing', async () => {
    const large = bytesOf(2 * copyBytes + 3, 1);
    for (const connectionId of ['c', 'other']) {
      await rig.reset();
      await rig.put('d/large', large);
      await rig.put('d/small', bytesOf(7, 2));
      const job = await settle(
        move([{ kind: 'prefix', prefix: 'd/' }], '', '', { bucket: rig.otherBucket, connectionId }),
      );
      expect(job).toMatchObject({ state: 'done', outcome: 'moved', bytesDone: large.byteLength + 7 });
      expect(await rig.keys()).toEqual([]);
      expect((await rig.object('d/large', rig.otherBucket))?.equals(large)).toBe(true);
      expect(await sortedKeys(rig.otherBucket)).toEqual(['d/large', 'd/small']);
    }
  });

  test('over two connections to the same bucket loses nothing', async () => {
    await rig.put('a', bytesOf(5, 1));
    for (const onConflict of ['ask', 'overwrite', 'skip'] as const) {
      const job = await settle(
        move([{ kind: 'key', key: 'a' }], '', '', { connectionId: 'other', onConflict }),
      );
      expect(job.state).toBe('done');
      expect((await rig.object('a'))?.equals(bytesOf(5, 1))).toBe(true);
    }
  });

  test('upwards never overwrites an object of the same move', async () => {
    await rig.put('a/a/x', Buffer.from('inner'));
    await rig.put('a/x', Buffer.from('outer'));
    const jobId = move([{ kind: 'prefix', prefix: 'a/' }], 'a/', '', { onConflict: 'overwrite' });
    const job = await settle(jobId);
    expect(job).toMatchObject({ reason: 'items-failed' });
    rig.transfers.retryFailed(job.id);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect((await rig.object('x'))?.toString()).toBe('outer');
    expect((await rig.object('a/x'))?.toString()).toBe('inner');
    expect(await rig.keys()).toHaveLength(2);
  });

  test('a source that changes meanwhile copies it again and loses neither', async () => {
    await rig.put('a', bytesOf(9, 1));
    let isFirst = true;
    const stop = rig.service.faults.add({
      operation: 'DeleteObject',
      key: 'a',
      action: { kind: 'delay', ms: 1 },
    });
    rig.wrapClient = (client) =>
      new Proxy(client, {
        get: (target, property, receiver) => {
          const member: unknown = Reflect.get(target, property, receiver);
          if (property !== 'deleteObject') return member;
          return async (...parameters: unknown[]) => {
            if (isFirst) await rig.put('a', bytesOf(11, 2));
            isFirst = false;
            return (await Reflect.apply(member as () => unknown, target, parameters)) as unknown;
          };
        },
      });
    const job = await settle(rename({ kind: 'key', key: 'a' }, 'b'));
    stop.remove();
    expect(job).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual(['b']);
    expect((await rig.object('b'))?.equals(bytesOf(11, 2))).toBe(true);
  });

  test('deletes no source while a conflict waits for a decision', async () => {
    for (const name of ['a/1', 'a/2', 'b/2']) await rig.put(name, Buffer.from(name));
    const job = await settle(move([{ kind: 'prefix', prefix: 'a/' }], 'a/', 'b/'));
    expect(job).toMatchObject({ reason: 'conflicts', items: { asking: 1, done: 0 } });
    expect(await sortedKeys()).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
    rig.uploads.jobs.send(job.id, { kind: 'cancel' });
    expect(await rig.settle(job.id)).toMatchObject({ state: 'cancelled', outcome: 'undone' });
    expect(await sortedKeys()).toEqual(['a/1', 'a/2', 'b/2']);
  });
});

describe('cancelling a move', () => {
  test.each([
    ['while it copies', 'CopyObject', 9, 20],
    ['while it copies one by one', 'CopyObject', 9, 1000],
    ['while it deletes the sources one by one', 'DeleteObject', 9, 1000],
    ['while it deletes the sources together', 'DeleteObjects', 2, 20],
  ] as const)(
    '%s leaves each object complete at one location',
    async (_name, operation, times, togetherFrom) => {
      rig.togetherFrom = togetherFrom;
      await rig.restart();
      const names = Array.from({ length: 40 }, (_, index) => `a/${String(index).padStart(2, '0')}`);
      for (const name of names) await rig.put(name, Buffer.from(name));
      rig.service.faults.clear();
      rig.service.faults.latencyMs = 3;
      const jobId = move([{ kind: 'prefix', prefix: 'a/' }], 'a/', 'b/') ?? '';
      await until(() => asked(operation) >= times);
      rig.uploads.jobs.send(jobId, { kind: 'cancel' });
      const job = await rig.settle(jobId);
      rig.service.faults.latencyMs = 0;
      expect(job.state).toBe('cancelled');
      expect(job.outcome).toBe(operation === 'CopyObject' ? 'undone' : 'partly-moved');
      const keys = await sortedKeys();
      const places = keys.map((key) => key.slice(2)).toSorted();
      expect(places).toEqual(names.map((name) => name.slice(2)));
      expect(keys).toEqual(operation === 'CopyObject' ? names : keys);
      for (const key of keys) expect((await rig.object(key))?.toString()).toBe(`a/${key.slice(2)}`);
    },
  );

  test('during a large copy leaves no unfinished upload', async () => {
    const bytes = bytesOf(5 * copyBytes, 1);
    await rig.put('a', bytes);
    rig.service.faults.clear();
    rig.service.faults.add({
      operation: 'UploadPartCopy',
      nth: 3,
      times: 1000,
      action: { kind: 'status', status: 503, code: 'SlowDown' },
    });
    const jobId = rename({ kind: 'key', key: 'a' }, 'b') ?? '';
    await until(() => rig.service.faults.journal.some(({ fault }) => fault === 'status'));
    rig.uploads.jobs.send(jobId, { kind: 'cancel' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled', outcome: 'undone' });
    expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
    expect(await rig.keys()).toEqual(['a']);
  });

  test('undoes nothing that was changed concurrently or overwritten by choice', async () => {
    for (const name of ['a/1', 'a/2', 'a/3', 'b/2']) await rig.put(name, Buffer.from(name));
    rig.service.faults.add({
      operation: 'CopyObject',
      key: 'b/3',
      times: 1000,
      action: { kind: 'status', status: 503, code: 'SlowDown' },
    });
    const jobId = move([{ kind: 'prefix', prefix: 'a/' }], 'a/', 'b/', { onConflict: 'overwrite' }) ?? '';
    await until(
      () =>
        isResting(rig.uploads.jobs.job(jobId)?.state ?? 'done') ||
        rig.items(jobId).filter(({ state }) => state === 'held').length === 2,
    );
    await rig.put('b/1', Buffer.from('mine now'));
    rig.uploads.jobs.send(jobId, { kind: 'cancel' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled' });
    expect(await sortedKeys()).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'b/2']);
    expect((await rig.object('b/1'))?.toString()).toBe('mine now');
    expect(rig.items(jobId).map(({ note }) => note)).toEqual(['copy-kept', 'copy-kept', 'undone']);
    expect(rig.uploads.jobs.job(jobId)?.items?.noted).toBe(2);
  });
});

test('cancelling a move undoes all others if a source changed after its last allowed restart', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `a/${String(index).padStart(2, '0')}`);
  for (const name of names) await rig.put(name, Buffer.from(name));
  rig.service.faults.add({
    operation: 'DeleteObject',
    times: 1000,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const jobId = move([{ kind: 'prefix', prefix: 'a/' }], 'a/', 'b/') ?? '';
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
  rig.service.faults.clear();
  const { items } = rig.queue.transferDriver;
  const [first] = items.withCopy(jobId, -1, 1);
  if (first === undefined) throw new Error('The move has no copies.');
  items.put(jobId, { ...first, restarts: 3 });
  await rig.put('a/00', Buffer.from('mine now'));
  rig.uploads.jobs.send(jobId, { kind: 'cancel' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled', outcome: 'partly-moved' });
  expect(await sortedKeys()).toEqual(['a/00', ...names.map((name) => name.replace('a/', 'b/'))]);
  expect((await rig.object('a/00'))?.toString()).toBe('mine now');
  expect((await rig.object('b/00'))?.toString()).toBe('a/00');
  expect(rig.items(jobId).map(({ note }) => note)).toEqual(['copy-kept', ...names.slice(1).map(() => null)]);
});

test('cancelling a move undoes all others if one object cannot be checked', async () => {
  rig.togetherFrom = 1000;
  await rig.restart();
  const names = Array.from({ length: 40 }, (_, index) => `a/${String(index).padStart(2, '0')}`);
  const moved = names.map((name) => name.replace('a/', 'b/'));
  for (const name of names) await rig.put(name, Buffer.from(name));
  const denied = { kind: 'status', status: 403, code: 'AccessDenied' } as const;
  rig.service.faults.add({ operation: 'DeleteObject', times: 1000, action: denied });
  const jobId = move([{ kind: 'prefix', prefix: 'a/' }], 'a/', 'b/') ?? '';
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
  rig.service.faults.clear();
  rig.service.faults.add({ operation: 'HeadObject', key: 'a/00', times: 1000, action: denied });
  rig.uploads.jobs.send(jobId, { kind: 'cancel' });
  expect(await rig.settle(jobId)).toMatchObject({
    state: 'needs-attention',
    error: { code: 'access-denied' },
  });
  expect(await sortedKeys()).toEqual(['a/00', ...moved]);
  rig.service.faults.clear();
  rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled', outcome: 'partly-moved' });
  expect(await sortedKeys()).toEqual(moved);
});

describe('a service that ignores deletions', () => {
  test.each([
    ['a listing', undefined],
    ['no listing', { kind: 'status', status: 403, code: 'AccessDenied' }],
  ] as const)('leaves a move of 40 objects incomplete, as %s shows', async (_what, refusal) => {
    const names = Array.from({ length: 40 }, (_, index) => `from/${index}`);
    for (const name of names) await rig.put(name, Buffer.from(name));
    rig.wrapClient = (client) => ({
      ...client,
      deleteObject: () => Promise.resolve({ versionId: null }),
      deleteObjects: (input) =>
        Promise.resolve(input.keys.map(({ key }) => ({ key, versionId: null, error: null }))),
    });
    if (refusal !== undefined)
      rig.service.faults.add({ operation: 'ListObjectsV2', times: Infinity, action: refusal });
    const jobId = move(
      names.map((key) => ({ kind: 'key', key })),
      'from/',
      'to/',
    );
    if (jobId === null) throw new Error('There was nothing to do.');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    expect(rig.items(jobId).filter(({ error }) => error?.reason === 'still-there')).toHaveLength(40);
  });
});
