import { beforeEach, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';

let rig: TransferRig;
const bucket = 'doomed';
rigOfFile((started) => {
  rig = started;
});
beforeEach(async () => {
  if (!(await isThere())) await rig.client.createBucket({ bucket });
  for (const key of await rig.keys(bucket)) await rig.client.deleteObject({ bucket, key });
});

async function isThere(): Promise<boolean> {
  return (await rig.client.listBuckets()).some(({ name }) => name === bucket);
}

async function put(...keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await rig.client.putObject({ bucket, key, body: { sizeBytes: 1, open: () => Buffer.alloc(1) } });
}

function begin(): string {
  const everything = [{ kind: 'prefix', prefix: '' }] as const;
  return rig.operations.delete({ connectionId: 'c', bucket }, everything, 'markers', true).jobId;
}

test('deleting a bucket with its content is one job', async () => {
  await put('a', 'd/b');
  expect(await rig.settle(begin())).toMatchObject({ state: 'done', outcome: 'bucket-deleted' });
  expect(await isThere()).toBe(false);
});

test('deleting an empty bucket with its content succeeds', async () => {
  expect(await rig.settle(begin())).toMatchObject({ state: 'done', items: { total: 0 } });
  expect(await isThere()).toBe(false);
});

test('an object added meanwhile keeps its bucket, and the job reports it and can be retried', async () => {
  await put('a');
  rig.wrapClient = (client) => ({
    ...client,
    deleteBucket: async (input, options) => {
      await put('late');
      return await client.deleteBucket(input, options);
    },
  });
  const job = await rig.settle(begin());
  expect(job).toMatchObject({
    state: 'needs-attention',
    reason: 'refused',
    error: { code: 'conflict', reason: 'bucket-not-empty' },
  });
  expect(await rig.keys(bucket)).toEqual(['late']);
  rig.wrapClient = (client) => client;
  await rig.client.deleteObject({ bucket, key: 'late' });
  rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
  expect(await rig.settle(job.id)).toMatchObject({ state: 'done', outcome: 'bucket-deleted' });
  expect(await isThere()).toBe(false);
});

test('a bucket is not deleted while an object in it could not be deleted', async () => {
  await put('a', 'b');
  let asked = 0;
  rig.wrapClient = (client) => ({
    ...client,
    deleteObjects: () => Promise.reject(failure('unsupported', 'No.', { retry: 'never' })),
    deleteObject: async (input, options) => {
      if (input.key === 'b') throw failure('access-denied', 'It is locked.', { retry: 'after-fix' });
      return await client.deleteObject(input, options);
    },
    deleteBucket: async (input, options) => {
      asked += 1;
      return await client.deleteBucket(input, options);
    },
  });
  expect(await rig.settle(begin())).toMatchObject({ state: 'needs-attention', items: { failed: 1 } });
  expect(asked).toBe(0);
  expect(await rig.keys(bucket)).toEqual(['b']);
});

test('a missing bucket counts as deleted after a crash that lost the response', async () => {
  await put('a');
  const { promise, resolve } = Promise.withResolvers<void>();
  rig.wrapClient = (client) => ({
    ...client,
    deleteBucket: async (input, options) => {
      await client.deleteBucket(input, options);
      resolve();
      // Simulates that the program ends here: the request never gets a response.
      return await new Promise<never>((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error('The program ends.')));
        setTimeout(() => reject(failure('network', 'Cut.', { retry: 'backoff', outcome: 'unknown' })), 50);
      });
    },
  });
  const jobId = begin();
  await promise;
  rig.wrapClient = (client) => client;
  await rig.restart();
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'bucket-deleted' });
  expect(await isThere()).toBe(false);
});

test('a deletion of less than everything cannot delete the bucket', () => {
  const some = [{ kind: 'prefix', prefix: 'd/' }] as const;
  expect(() => rig.operations.delete({ connectionId: 'c', bucket }, some, 'markers', true)).toThrow(
    /all its objects/,
  );
});
