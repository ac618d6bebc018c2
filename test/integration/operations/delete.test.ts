import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { SelectionItem, VersionMode } from '../../../shared/models/operations.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { runs } from '../../support/sample.ts';

let rig: TransferRig;
rigOfFile(
  (started) => {
    rig = started;
  },
  { timeouts: { firstByteMs: 500, inactivityMs: 500 } },
);

async function remove(items: readonly SelectionItem[], versions: VersionMode = 'markers') {
  const { jobId } = rig.operations.delete({ connectionId: 'c', bucket: rig.bucket }, items, versions);
  return await rig.settle(jobId);
}

async function putAll(keys: readonly string[]): Promise<void> {
  for (const key of keys) await rig.put(key, Buffer.from(key));
}

const prefix = (name: string): SelectionItem => ({ kind: 'prefix', prefix: name });
const key = (name: string): SelectionItem => ({ kind: 'key', key: name });

function asked(operation: string): number {
  return rig.service.faults.journal.filter((entry) => entry.operation === operation).length;
}

describe('deleting', () => {
  test('a folder spares its neighbours and the object of its name', async () => {
    await putAll(['a', 'a/', 'a/x', 'a/y/z', 'a-', 'a0', 'ab/n', 'b']);
    expect(await remove([prefix('a/')])).toMatchObject({
      state: 'done',
      outcome: 'deleted',
      items: { total: 3 },
    });
    expect(await rig.keys()).toEqual(['a', 'a-', 'a0', 'ab/n', 'b']);
  });

  test('sends a thousand keys per request', { timeout: 60_000 }, async () => {
    const keys = Array.from({ length: 2300 }, (_, index) => `many/${index}`);
    await Promise.all(
      Array.from({ length: 10 }, async (_, lane) => {
        for (const [index, name] of keys.entries())
          if (index % 10 === lane) await rig.put(name, Buffer.alloc(0));
      }),
    );
    await rig.put('other', Buffer.alloc(1));
    rig.service.faults.clear();
    expect(await remove([prefix('many/')])).toMatchObject({ state: 'done', items: { done: 2300 } });
    expect(asked('DeleteObjects')).toBe(3);
    expect(asked('DeleteObject')).toBe(0);
    expect(await rig.keys()).toEqual(['other']);
  });

  test('sends keys that XML cannot carry one by one, and all other odd ones together', async () => {
    const strange = [
      's/\u0001',
      's/a\u001fb',
      's/<&>"\'',
      's/ ',
      's/\r\n',
      's/%2F',
      's/ü',
      's/..',
      's//x',
      's/\uffff',
    ];
    await putAll([...strange, 'kept']);
    rig.service.faults.clear();
    expect(await remove([prefix('s/')])).toMatchObject({ state: 'done', items: { done: strange.length } });
    expect(asked('DeleteObject')).toBe(3);
    expect(await rig.keys()).toEqual(['kept']);
  });

  test('missing keys succeeds', async () => {
    await putAll(['a']);
    expect(await remove([key('a'), key('never-was'), key('nor\u0002this')])).toMatchObject({
      state: 'done',
      items: { done: 3 },
    });
  });

  test('a key chosen several times deletes it once', async () => {
    await putAll(['a/1', 'a/2']);
    expect(await remove([key('a/1'), prefix('a/'), prefix('')])).toMatchObject({
      items: { total: 2, done: 2 },
    });
  });

  test('shows each refused key and retries only those', async () => {
    await putAll(['a/1', 'a/2', 'a/3']);
    let isDenied = true;
    rig.wrapClient = (client) =>
      withDeleteObjects(client, async (input, send) => {
        if (!isDenied) return await send(input);
        const keys = input.keys.filter(({ key: name }) => name !== 'a/2');
        const done = await send({ ...input, keys });
        return input.keys.map(({ key: name }) =>
          name === 'a/2'
            ? { key: name, versionId: null, error: { code: 'AccessDenied', message: 'no' } }
            : (done.find((result) => result.key === name) ?? { key: name, versionId: null, error: null }),
        );
      });
    const job = await remove([prefix('a/')]);
    expect(job).toMatchObject({
      state: 'needs-attention',
      reason: 'items-failed',
      items: { done: 2, failed: 1 },
    });
    expect(rig.items(job.id).filter(({ state }) => state === 'failed')).toMatchObject([
      { key: 'a/2', error: { code: 'access-denied', s3: { code: 'AccessDenied' } } },
    ]);
    isDenied = false;
    rig.transfers.retryFailed(job.id);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual([]);
  });

  test('waits as a whole while the service is busy, and leaves no key out', async () => {
    await putAll(['a/1', 'a/2', 'b']);
    rig.service.faults.add({
      operation: 'DeleteObjects',
      times: 9,
      action: { kind: 'status', status: 503, code: 'SlowDown' },
    });
    expect(await remove([prefix('a/')])).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual(['b']);
  });

  test('falls back to single requests without DeleteObjects', async () => {
    await putAll(['a/1', 'a/2', 'b']);
    rig.service.faults.add({
      operation: 'DeleteObjects',
      times: 9,
      action: { kind: 'status', status: 501, code: 'NotImplemented' },
    });
    expect(await remove([prefix('a/')])).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual(['b']);
  });

  test('deletes only keys that were persisted before, and not later ones', async () => {
    await putAll(['a/1']);
    rig.wrapClient = (client) =>
      withDeleteObjects(client, async (input, send) => {
        await rig.put('a/later', Buffer.alloc(1));
        return await send(input);
      });
    expect(await remove([prefix('a/')])).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual(['a/later']);
  });

  test('any tree deletes exactly what was chosen', { timeout: 120_000 }, async () => {
    const segment = fc.constantFrom('a', 'ab', 'b', '', ' ', 'ü', '\u0001');
    const name = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `k${parts.join('/')}`);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 1, maxLength: 12 }),
        fc.array(
          fc.oneof(
            name.map(key),
            name.map((text) => prefix(`${text}/`)),
          ),
          { minLength: 1, maxLength: 4 },
        ),
        async (keys, chosen) => {
          await rig.reset();
          await putAll(keys);
          expect((await remove(chosen)).state).toBe('done');
          const isChosen = (text: string): boolean =>
            chosen.some((item) =>
              item.kind === 'key'
                ? item.key === text
                : item.kind === 'prefix' && text.startsWith(item.prefix),
            );
          expect((await rig.keys()).toSorted()).toEqual(keys.filter((text) => !isChosen(text)).toSorted());
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

type DeleteObjects = S3Client['deleteObjects'];

function withDeleteObjects(
  client: S3Client,
  reply: (
    input: Parameters<DeleteObjects>[0],
    send: (input: Parameters<DeleteObjects>[0]) => ReturnType<DeleteObjects>,
  ) => ReturnType<DeleteObjects>,
): S3Client {
  return new Proxy(client, {
    get: (target, property, receiver) =>
      property === 'deleteObjects'
        ? async (input: Parameters<DeleteObjects>[0]) =>
            await reply(input, (now) => target.deleteObjects(now))
        : (Reflect.get(target, property, receiver) as unknown),
  });
}

describe('a DeleteObjects response', () => {
  const names = ['a/1', 'a/2', 'a/3'];

  test.each([
    ['was applied', true],
    ['was ignored', false],
  ])(
    'without results for a request that %s leads to one DeleteObject per key',
    async (_what, isCarriedOut) => {
      await putAll(names);
      rig.wrapClient = (client) => ({
        ...client,
        deleteObjects: async ({ bucket, keys }, options) => {
          if (isCarriedOut) await client.deleteObjects({ bucket, keys }, options);
          const error = {
            code: 'NoResult',
            message: 'The service did not report whether it deleted this object.',
          };
          return keys.map((target) => ({ key: target.key, versionId: null, error }));
        },
      });
      rig.service.faults.clear();
      expect(await remove([prefix('a/')])).toMatchObject({
        state: 'done',
        outcome: 'deleted',
        items: { done: 3 },
      });
      expect(asked('DeleteObject')).toBe(3);
      expect(await rig.keys()).toEqual([]);
    },
  );

  test('that claims a deletion fails the key if it still exists', async () => {
    await putAll(names);
    rig.wrapClient = (client) => ({
      ...client,
      deleteObjects: async (input, options) => {
        const keys = input.keys.filter((target) => target.key !== 'a/2');
        const deleted = await client.deleteObjects({ ...input, keys }, options);
        return [...deleted, { key: 'a/2', versionId: null, error: null }].toSorted((left, right) =>
          left.key < right.key ? -1 : 1,
        );
      },
    });
    const job = await remove([prefix('a/')]);
    expect(job).toMatchObject({ state: 'needs-attention', items: { done: 2, failed: 1 } });
    expect(rig.items(job.id).map((item) => [item.key, item.error?.reason])).toEqual([
      ['a/1', undefined],
      ['a/2', 'still-there'],
      ['a/3', undefined],
    ]);
    rig.wrapClient = (client) => client;
    rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done', items: { done: 3, failed: 0 } });
    expect(await rig.keys()).toEqual([]);
  });

  test('is noted for keys that only a listing still shows, since listings may lag', async () => {
    await putAll(names);
    let listed: Awaited<ReturnType<S3Client['listObjects']>> | null = null;
    rig.wrapClient = (client) => ({
      ...client,
      listObjects: async (input, options) => (listed ??= await client.listObjects(input, options)),
    });
    const job = await remove([prefix('a/')]);
    expect(job).toMatchObject({ state: 'done', items: { done: 3, noted: 3 } });
    expect(rig.items(job.id).map(({ note }) => note)).toEqual(names.map(() => 'still-listed'));
  });

  test('is not contradicted by a key that is recreated before the end', async () => {
    await putAll(names);
    rig.wrapClient = (client) => ({
      ...client,
      deleteObjects: async (input, options) => {
        const results = await client.deleteObjects(input, options);
        await rig.put('a/2', Buffer.from('another'));
        return results;
      },
    });
    expect((await remove([prefix('a/')])).items?.noted).toBeUndefined();
    expect(await rig.keys()).toEqual(['a/2']);
  });
});
