import { beforeEach, describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { failure } from '../../../shared/errors.ts';
import type { ConflictPolicy } from '../../../shared/models/transfers.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

/** Tests moves and copies of many objects, which are handled together: checked by listings, and deleted many at a time. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
beforeEach(async () => {
  // Forgets the facts learned about the service.
  await rig.restart();
});

const names = Array.from({ length: 60 }, (_, index) => `${index % 7}/n${index}`);

async function putAll(): Promise<void> {
  await Promise.all(names.map(async (name, index) => await rig.put(`a/${name}`, bytesOf(40 + index, index))));
}

async function move(onConflict: ConflictPolicy = 'ask', isMove = true) {
  const place = { connectionId: 'c', bucket: rig.bucket };
  rig.service.faults.clear();
  const { jobId } = rig.operations.copy({
    from: { ...place, basePrefix: 'a/' },
    items: [{ kind: 'prefix', prefix: 'a/' }],
    to: { ...place, prefix: 'b/' },
    options: { onConflict, isMove },
  });
  return await rig.settle(jobId ?? '');
}

function asked(operation: string): number {
  return rig.service.faults.journal.filter((entry) => entry.operation === operation).length;
}

async function expectMoved(): Promise<void> {
  expect((await rig.keys()).toSorted()).toEqual(names.map((name) => `b/${name}`).toSorted());
  for (const [index, name] of names.entries())
    expect((await rig.object(`b/${name}`))?.equals(bytesOf(40 + index, index))).toBe(true);
}

type Method = Extract<keyof S3Client, 'deleteObjects' | 'deleteObject' | 'copyObject' | 'listObjects'>;

/** Wraps one method of the core's client. */
function between<M extends Method>(
  method: M,
  make: (send: S3Client[M]) => S3Client[M],
): (client: S3Client) => S3Client {
  return (client) => ({ ...client, [method]: make(client[method]) });
}

describe('moving many objects', () => {
  test('sends few requests for each', async () => {
    await putAll();
    expect(await move()).toMatchObject({ state: 'done', outcome: 'renamed' });
    expect(asked('CopyObject')).toBe(names.length);
    expect(asked('DeleteObjects')).toBeLessThanOrEqual(4);
    // One HEAD each of the source and the copy; items share all other requests.
    expect(rig.service.faults.journal.length).toBeLessThan(2.8 * names.length);
    await expectMoved();
  });

  test('deletes no source before its copy is proved by a newer listing', async () => {
    await putAll();
    await move();
    const order = rig.service.faults.journal.map(({ operation }) => operation);
    const lastCopy = order.lastIndexOf('CopyObject');
    const firstDelete = order.findIndex((operation) => operation.startsWith('Delete'));
    // All copies are proved before the first source is deleted; in between, both sides are listed once more.
    expect(lastCopy).toBeLessThan(firstDelete);
    expect(
      order.slice(lastCopy, firstDelete).filter((operation) => operation === 'ListObjectsV2').length,
    ).toBeGreaterThan(2);
  });

  test('keeps a source changed between check and deletion, and copies it again', async () => {
    await putAll();
    const fresh = bytesOf(99, 99);
    let isFirst = true;
    rig.wrapClient = between('deleteObjects', (send) => async (input, options) => {
      if (input.keys.length > 1 && isFirst) {
        isFirst = false;
        await rig.put(`a/${names[30]}`, fresh);
      }
      return await send(input, options);
    });
    expect(await move()).toMatchObject({ state: 'done', outcome: 'renamed' });
    expect(await rig.keys()).toHaveLength(names.length);
    expect((await rig.object(`b/${names[30]}`))?.equals(fresh)).toBe(true);
  });

  test('keeps every source whose copy changed after it was proved', async () => {
    await putAll();
    const spoiled = [3, 41];
    let hasCopied = 0;
    rig.wrapClient = between('listObjects', (send) => async (input, options) => {
      // Once all are copied, another client overwrites two of the copies.
      if (hasCopied === 0 && asked('CopyObject') === names.length && (await areAllProved())) {
        hasCopied = 1;
        for (const index of spoiled) await rig.put(`b/${names[index]}`, Buffer.from('spoiled'));
      }
      return await send(input, options);
    });
    const job = await move();
    expect(hasCopied).toBe(1);
    expect(job).toMatchObject({ reason: 'conflicts', items: { asking: 2 } });
    for (const index of spoiled)
      expect((await rig.object(`a/${names[index]}`))?.equals(bytesOf(40 + index, index))).toBe(true);
  });

  test.each([
    ['ignores the ETags of keys', { batch: 'ignored', single: 'honoured' }],
    ['ignores every condition of a deletion', { batch: 'ignored', single: 'ignored' }],
    ['refuses the ETags of keys', { batch: 'refused', single: 'ignored' }],
    ['has no DeleteObjects', { batch: 'missing', single: 'honoured' }],
  ] as const)('succeeds on a service that %s', async (_name, { batch, single }) => {
    await putAll();
    rig.wrapClient = (client) =>
      between('deleteObject', (send) => async (input, options) => {
        const { ifMatch: _, ...rest } = input;
        return await send(single === 'ignored' ? rest : input, options);
      })(
        between('deleteObjects', (send) => async (input, options) => {
          if (batch === 'missing') throw failure('unsupported', 'no', { reason: 'not-implemented' });
          if (batch === 'refused' && input.keys.some(({ etag }) => etag !== undefined))
            throw failure('invalid-argument', 'no', { reason: 'malformed-xml' });
          return await send({ ...input, keys: input.keys.map(({ key }) => ({ key })) }, options);
        })(client),
      );
    expect(await move()).toMatchObject({ state: 'done', outcome: 'renamed' });
    await expectMoved();
    const singles = asked('DeleteObject');
    // If only single deletions support the condition, each source is deleted by a separate request.
    expect(single === 'honoured' ? singles >= names.length - 1 : singles <= 3).toBe(true);
  });

  test('deletes each source singly if the service returns no results', async () => {
    await putAll();
    rig.wrapClient = between('deleteObjects', (send) => async (input, options) => {
      await send(input, options);
      const error = { code: 'NoResult', message: 'nothing' };
      return input.keys.map((target) => ({ key: target.key, versionId: null, error }));
    });
    expect(await move()).toMatchObject({ state: 'done', outcome: 'renamed' });
    expect(asked('DeleteObject')).toBeLessThanOrEqual(names.length);
    await expectMoved();
  });

  test('fails an item whose source still exists after the service reported its deletion', async () => {
    await putAll();
    const kept = `a/${names[5]}`;
    rig.wrapClient = between('deleteObjects', (send) => async (input, options) => {
      const results = await send(
        { ...input, keys: input.keys.filter((target) => target.key !== kept) },
        options,
      );
      return input.keys.map(
        (target) =>
          results.find((result) => result.key === target.key) ?? { key: kept, versionId: null, error: null },
      );
    });
    const job = await move();
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed', items: { failed: 1 } });
    expect(rig.items(job.id).find(({ error }) => error?.reason === 'still-there')?.key).toBe(kept);
    rig.wrapClient = (client) => client;
    rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done', outcome: 'renamed' });
    await expectMoved();
  });

  test('reports each source that may not be deleted, and keeps both objects', async () => {
    await putAll();
    const kept = `a/${names[5]}`;
    rig.wrapClient = between('deleteObjects', (send) => async (input, options) => {
      const results = await send({ ...input, keys: input.keys.filter(({ key }) => key !== kept) }, options);
      const error = { code: 'AccessDenied', message: 'no' };
      return input.keys.map(
        ({ key }) => results.find((result) => result.key === key) ?? { key, versionId: null, error },
      );
    });
    const job = await move();
    expect(job).toMatchObject({ reason: 'items-failed', items: { failed: 1, done: names.length - 1 } });
    expect(await rig.keys()).toContain(kept);
    expect(await rig.keys()).toContain(`b/${names[5]}`);
  });

  test('falls back to a HEAD of each object if listing becomes denied', async () => {
    await putAll();
    rig.wrapClient = between('listObjects', (send) => async (input, options) => {
      if (input.maxKeys !== undefined) throw failure('access-denied', 'no');
      return await send(input, options);
    });
    expect(await move()).toMatchObject({ state: 'done', outcome: 'renamed' });
    await expectMoved();
  });

  test('loses nothing if one response is lost', async () => {
    await putAll();
    rig.service.faults.add({ operation: 'DeleteObjects', nth: 2, action: { kind: 'reset', apply: true } });
    rig.service.faults.add({ operation: 'CopyObject', nth: 9, action: { kind: 'reset', apply: true } });
    expect(await move()).toMatchObject({ state: 'done', outcome: 'renamed' });
    await expectMoved();
  });
});

/** Returns true if the job has recorded all copies as proved and continues by deleting their sources. */
async function areAllProved(): Promise<boolean> {
  const [job] = (await rig.uploads.jobs.list({ states: null, connectionId: null }, 0, 1)).jobs;
  const items = job === undefined ? [] : rig.items(job.id);
  return items.length > 0 && items.every(({ state, verified }) => state === 'todo' && verified === true);
}

describe('copying many objects', () => {
  test('asks about every existing object and overwrites none', async () => {
    await putAll();
    const standing = names.slice(10, 15).map((name) => `b/${name}`);
    for (const key of standing) await rig.put(key, Buffer.from('mine'));
    const job = await move('ask', false);
    expect(job).toMatchObject({ reason: 'conflicts', items: { asking: 5, done: names.length - 5 } });
    for (const key of standing) expect((await rig.object(key))?.toString()).toBe('mine');
  });

  test('does not overwrite an object that appears after the check', async () => {
    await putAll();
    let isFirst = true;
    rig.wrapClient = between('copyObject', (send) => async (input, options) => {
      if (isFirst) {
        isFirst = false;
        await rig.put(input.key, Buffer.from('mine'));
      }
      return await send(input, options);
    });
    expect(await move('ask', false)).toMatchObject({ reason: 'conflicts', items: { asking: 1 } });
    const contents = await Promise.all(
      names.map(async (name) => (await rig.object(`b/${name}`))?.toString()),
    );
    expect(contents.filter((text) => text === 'mine')).toHaveLength(1);
  });
});

test('a listing that never shows an object that HEAD finds does not make a copy in parts start again without end', async () => {
  await putAll();
  await rig.put('a/large', bytesOf(copyBytes + 1, 1));
  await rig.put('b/large', Buffer.from('taken'));
  const maxHidden = 30;
  let hidden = 0;
  rig.wrapClient = between('listObjects', (send) => async (input, options) => {
    const page = await send(input, options);
    const objects = page.objects.filter(({ key }) => key !== 'b/large' || hidden >= maxHidden);
    if (objects.length < page.objects.length) hidden += 1;
    return { ...page, objects };
  });
  expect(await move('ask', false)).toMatchObject({
    state: 'needs-attention',
    reason: 'items-failed',
    error: { reason: 'object-changed' },
  });
  expect(hidden).toBeLessThan(maxHidden);
  expect((await rig.object('b/large'))?.toString()).toBe('taken');
});
