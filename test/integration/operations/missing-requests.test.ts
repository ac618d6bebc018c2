import { afterEach, describe, expect, test } from 'vitest';
import { failure, toAppError } from '../../../shared/errors.ts';
import type { ConflictPolicy } from '../../../shared/models/transfers.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

/** Tests copies and moves on services that do not support a request, or refuse HEAD for a key. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

const files = [bytesOf(0, 1), bytesOf(5 * KiB, 2), bytesOf(3 * copyBytes + 5, 3)];

async function putFiles(): Promise<void> {
  for (const [index, bytes] of files.entries()) await rig.put(`a/${index}`, bytes);
}

/** Returns, for each file, true if it is at its target byte for byte. */
async function moved(jobId: string): Promise<readonly boolean[]> {
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
  rig.service.faults.clear();
  expect(await rig.keys()).toEqual([]);
  const found = await Promise.all(
    files.map(async (_bytes, index) => await rig.object(`b/${index}`, rig.otherBucket)),
  );
  return files.map((bytes, index) => found[index]?.equals(bytes) === true);
}

describe.each([['c'], ['other']] as const)('moving to the connection "%s"', (to) => {
  test('succeeds if HEAD of a missing target is answered with 403', async () => {
    await putFiles();
    await rig.restart();
    rig.service.faults.add({
      operation: 'HeadObject',
      bucket: rig.otherBucket,
      times: files.length,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    expect(await moved(rig.copyToOtherBucket(true, to))).toEqual([true, true, true]);
  });

  test.each([
    [501, 'NotImplemented'],
    [405, 'MethodNotAllowed'],
  ])('succeeds if HEAD is answered with %i', async (status, code) => {
    await putFiles();
    await rig.restart();
    rig.service.faults.add({
      operation: 'HeadObject',
      times: Infinity,
      action: { kind: 'status', status, code },
    });
    expect(await moved(rig.copyToOtherBucket(true, to))).toEqual([true, true, true]);
  });
});

test('a concurrent object at a target that may not be read is not replaced', async () => {
  await rig.put('a/1', bytesOf(10, 1));
  const others = bytesOf(20, 2);
  await rig.client.putObject({
    bucket: rig.otherBucket,
    key: 'b/1',
    body: { sizeBytes: others.length, open: () => others },
  });
  await rig.restart();
  rig.service.faults.add({
    operation: 'HeadObject',
    bucket: rig.otherBucket,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  expect(await rig.settle(rig.copyToOtherBucket(true, 'c'))).toMatchObject({ state: 'needs-attention' });
  rig.service.faults.clear();
  expect((await rig.object('b/1', rig.otherBucket))?.equals(others)).toBe(true);
  expect((await rig.object('a/1'))?.equals(bytesOf(10, 1))).toBe(true);
});

test('moving on a service without CopyObject and UploadPartCopy goes through this computer', async () => {
  await putFiles();
  await rig.restart();
  rig.service.faults.add({
    operation: ['CopyObject', 'UploadPartCopy'],
    times: Infinity,
    action: { kind: 'status', status: 501, code: 'NotImplemented' },
  });
  const jobId = rig.copyToOtherBucket(true, 'c');
  expect(await moved(jobId)).toEqual([true, true, true]);
  expect(rig.items(jobId).map(({ verified }) => verified)).toEqual([true, true, true]);
});

/** Puts objects at source and target. Those at the target may not be read. */
async function putUnreadable(): Promise<void> {
  await putFiles();
  for (const [index] of files.entries())
    await rig.client.putObject({
      bucket: rig.otherBucket,
      key: `b/${index}`,
      body: { sizeBytes: 3, open: () => bytesOf(3, 9) },
    });
  await rig.restart();
  rig.service.faults.add({
    operation: ['HeadObject', 'GetObject'],
    bucket: rig.otherBucket,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
}

async function copied(onConflict: ConflictPolicy, to: string): Promise<string> {
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: 'a/' },
    items: [{ kind: 'prefix', prefix: 'a/' }],
    to: { connectionId: to, bucket: rig.otherBucket, prefix: 'b/' },
    options: { onConflict, isMove: false },
  });
  await rig.settle(jobId ?? '');
  rig.service.faults.clear();
  return jobId ?? '';
}

describe('with a target that may be written and not read,', () => {
  test.each([['c'], ['other']])(
    'a copy to the connection "%s" overwrites as the user decided',
    async (to) => {
      await putUnreadable();
      const jobId = await copied('overwrite', to);
      expect(rig.items(jobId).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
      for (const [index, bytes] of files.entries())
        expect((await rig.object(`b/${index}`, rig.otherBucket))?.equals(bytes)).toBe(true);
    },
  );

  test('a copy under the policy skip leaves every target that may not be read', async () => {
    await putUnreadable();
    const jobId = await copied('skip', 'c');
    expect(rig.items(jobId).map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped']);
    expect((await rig.object('b/1', rig.otherBucket))?.byteLength).toBe(3);
  });

  test('a copy that would have to ask says that the target may not be read', async () => {
    await putUnreadable();
    const jobId = await copied('ask', 'c');
    expect(rig.items(jobId).map(({ error }) => error?.code)).toEqual(files.map(() => 'access-denied'));
    expect((await rig.object('b/1', rig.otherBucket))?.byteLength).toBe(3);
  });

  test('a copy or an upload gets the next name without the permission to list', async () => {
    await putFiles();
    for (const key of ['b/0', 'b/1', 'b/2'])
      await rig.client.putObject({
        bucket: rig.otherBucket,
        key,
        body: { sizeBytes: 3, open: () => bytesOf(3, 9) },
      });
    await rig.put('c.bin', bytesOf(3, 9));
    rig.wrapClient = withoutListing;
    await rig.restart();
    const jobId = await copied('rename', 'c');
    expect(rig.items(jobId).map(({ state, note }) => [state, note])).toEqual(
      files.map(() => ['done', 'renamed']),
    );
    const job = await rig.settle(
      await rig.upload([rig.file('c.bin', bytesOf(10, 8))], { onConflict: 'rename' }),
    );
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', note: 'renamed' }]);
    expect((await rig.object('c (2).bin'))?.equals(bytesOf(10, 8))).toBe(true);
  });
});

/** Answers a HEAD of a missing key with 403, as AWS does without the permission to list. */
function withoutListing(client: S3Client): S3Client {
  return {
    ...client,
    headObject: async (ref, options) => {
      try {
        return await client.headObject(ref, options);
      } catch (thrown) {
        if (toAppError(thrown).code !== 'not-found') throw thrown;
        throw failure('access-denied', 'No permission to list.');
      }
    },
  };
}
