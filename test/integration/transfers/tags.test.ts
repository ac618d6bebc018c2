import { expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const tags = { colour: 'red & blue' };
const listed = [{ key: 'colour', value: 'red & blue' }];
const ref = { bucket: 'bucket', key: 'large.bin' };

/** Makes multipart uploads lose the tags given at their start, like Ceph RGW. */
function dropTags(): void {
  rig.wrapClient = (client) => ({
    ...client,
    createMultipartUpload: async ({ headers: _dropped, ...input }, options) =>
      await client.createMultipartUpload(input, options),
  });
}

test('tags that the service drops from a multipart upload are set at the end', async () => {
  dropTags();
  const job = await rig.settle(await rig.upload([rig.file('large.bin', bytesOf(300 * KiB, 1))], { tags }));
  expect(job).toMatchObject({ state: 'done' });
  expect(await rig.client.getObjectTags(ref)).toEqual(listed);
});

test('tags that arrived are not written again', async () => {
  let written = 0;
  rig.wrapClient = (client) => ({
    ...client,
    putObjectTags: async (input, options) => {
      written += 1;
      await client.putObjectTags(input, options);
    },
  });
  await rig.settle(await rig.upload([rig.file('large.bin', bytesOf(300 * KiB, 1))], { tags }));
  expect(await rig.client.getObjectTags(ref)).toEqual(listed);
  expect(written).toBe(0);
});

test('an item whose tags may not be written fails, and a retry writes only the tags', async () => {
  let parts = 0;
  let isAllowed = false;
  rig.wrapClient = (client) => ({
    ...client,
    createMultipartUpload: async ({ headers: _dropped, ...input }, options) =>
      await client.createMultipartUpload(input, options),
    uploadPart: async (input, options) => {
      parts += 1;
      return await client.uploadPart(input, options);
    },
    putObjectTags: async (input, options) => {
      if (!isAllowed) throw failure('access-denied', 'No.', { retry: 'after-fix' });
      await client.putObjectTags(input, options);
    },
  });
  const jobId = await rig.upload([rig.file('large.bin', bytesOf(300 * KiB, 1))], { tags });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
  const sent = parts;
  isAllowed = true;
  rig.transfers.retryFailed(jobId);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
  expect(parts).toBe(sent);
  expect(await rig.client.getObjectTags(ref)).toEqual(listed);
});
