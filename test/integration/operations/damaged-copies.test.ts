import { afterEach, describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { checksumOf } from '../../../electron/core/disk/checksums.ts';
import { damagingClient, type Damaging } from '../../support/core/damaging-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { withoutEtags } from '../../support/core/silent-etags.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { KmsService, underKey } from '../../support/servers/kms-service.ts';

/** Tests copies and moves whose bytes the target stores damaged. A move must notice before it deletes its source. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

async function through(wrap: (client: S3Client) => S3Client): Promise<void> {
  rig.wrapClient = wrap;
  await rig.restart();
}

async function damage(left: number, around: (client: S3Client) => S3Client = (client) => client) {
  const plan: Damaging = { damage: 'flips one bit', left, damaged: 0 };
  await through((client) => around(damagingClient(client, plan)));
  return plan;
}

const sizes: readonly (readonly [string, number])[] = [
  ['5 KiB', 5 * KiB],
  ['some parts', 3 * copyBytes + 5],
  ['many parts', 12 * copyBytes + 5],
];

describe('moving to another service', () => {
  test.each(sizes)('resends %s that was first stored damaged', async (_size, sizeBytes) => {
    const bytes = bytesOf(sizeBytes, 1);
    await rig.put('a/x', bytes);
    const plan = await damage(2);
    const jobId = rig.copyToOtherBucket(true, 'other');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(plan.damaged).toBe(2);
    expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
    expect(await rig.keys()).toEqual([]);
    expect(rig.items(jobId)).toMatchObject([{ verified: true, note: null }]);
  });

  test.each(sizes)('keeps the source of %s that is stored damaged each time', async (_size, sizeBytes) => {
    const bytes = bytesOf(sizeBytes, 1);
    await rig.put('a/x', bytes);
    const plan = await damage(Infinity);
    const jobId = rig.copyToOtherBucket(true, 'other');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
    expect((await rig.object('a/x'))?.equals(bytes)).toBe(true);

    plan.left = 0;
    rig.transfers.retryFailed(jobId);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
    expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
    expect(await rig.keys()).toEqual([]);
  });

  test.each(sizes)(
    'reads %s back before deleting its source if the target reports no ETag',
    async (_size, sizeBytes) => {
      const bytes = bytesOf(sizeBytes, 1);
      await rig.put('a/x', bytes);
      await through(withoutEtags);
      const jobId = rig.copyToOtherBucket(true, 'other');
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
      expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
      expect(await rig.keys()).toEqual([]);
      expect(rig.items(jobId)).toMatchObject([{ verified: true }]);
    },
  );

  test('keeps the source if the target reports no ETag and stores damaged bytes', async () => {
    const bytes = bytesOf(5 * KiB, 1);
    await rig.put('a/x', bytes);
    await damage(Infinity, withoutEtags);
    expect(await rig.settle(rig.copyToOtherBucket(true, 'other'))).not.toMatchObject({ state: 'done' });
    expect((await rig.object('a/x'))?.equals(bytes)).toBe(true);
  });

  test('keeps the source if its copy may not be read back', async () => {
    const bytes = bytesOf(5 * KiB, 1);
    await rig.put('a/x', bytes);
    await through((client) => ({
      ...withoutEtags(client),
      getObject: async (input, options) => {
        if (input.bucket === rig.otherBucket)
          rig.service.faults.add({
            operation: 'GetObject',
            bucket: rig.otherBucket,
            action: { kind: 'status', status: 403, code: 'AccessDenied' },
          });
        return await withoutEtags(client).getObject(input, options);
      },
    }));
    const jobId = rig.copyToOtherBucket(true, 'other');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
    expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'copy-unverified' } }]);
    expect((await rig.object('a/x'))?.equals(bytes)).toBe(true);
  });
});

test('a copy to a service without ETags is done and marked as not verified', async () => {
  await rig.put('a/x', bytesOf(5 * KiB, 1));
  await through(withoutEtags);
  const jobId = rig.copyToOtherBucket(false, 'other');
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
  expect(rig.items(jobId)).toMatchObject([{ state: 'done', verified: false, note: 'not-verified' }]);
});

test('a move within a service without ETags is read back before the source is deleted', async () => {
  const bytes = bytesOf(5 * KiB, 1);
  await rig.put('a/x', bytes);
  await through(withoutEtags);
  const jobId = rig.copyToOtherBucket(true, 'c');
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
  expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
  expect(rig.service.faults.count('CopyObject')).toBe(1);
});

async function wrongCopies(times: number) {
  const plan = { left: times };
  await through((client) => ({
    ...client,
    copyObject: async (input, options) => {
      if (plan.left <= 0) return await client.copyObject(input, options);
      plan.left -= 1;
      const other = bytesOf(5 * KiB, 7);
      const { bucket, key } = input;
      const body = { sizeBytes: other.length, open: () => other };
      const { etag } = await client.putObject({ bucket, key, body }, options);
      return { etag, lastModified: null, versionId: null };
    },
  }));
  return plan;
}

describe('a CopyObject that stores other bytes', () => {
  test('is sent again if it is damaged once', async () => {
    const bytes = bytesOf(5 * KiB, 1);
    await rig.put('a/x', bytes);
    await wrongCopies(1);
    expect(await rig.settle(rig.copyToOtherBucket(true, 'c'))).toMatchObject({
      state: 'done',
      outcome: 'moved',
    });
    expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
  });

  test('never deletes the source', async () => {
    const bytes = bytesOf(5 * KiB, 1);
    await rig.put('a/x', bytes);
    const plan = await wrongCopies(100);
    expect(await rig.settle(rig.copyToOtherBucket(true, 'c'))).toMatchObject({ state: 'needs-attention' });
    expect(plan.left).toBeGreaterThan(90);
    expect((await rig.object('a/x'))?.equals(bytes)).toBe(true);
  });
});

describe('copying within a service in parts', () => {
  test.each([true, false])(
    'copies a part again that another program has replaced (move: %s)',
    async (isMove) => {
      const bytes = bytesOf(3 * copyBytes + 5, 1);
      await rig.put('a/x', bytes);
      let copies = 0;
      await through((client) => ({
        ...client,
        uploadPartCopy: async (input, options) => {
          const reply = await client.uploadPartCopy(input, options);
          copies += 1;
          const size = (input.range?.lastByte ?? 0) + 1;
          const other = bytesOf(size, 9);
          const { bucket, key, uploadId, partNumber } = input;
          const body = { sizeBytes: size, open: () => other };
          if (copies === 1 && partNumber === 1)
            await client.uploadPart({ bucket, key, uploadId, partNumber, body });
          return reply;
        },
      }));
      const jobId = rig.copyToOtherBucket(isMove, 'c');
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect(copies).toBeGreaterThan(1);
      expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
      expect(await rig.keys()).toEqual(isMove ? [] : ['a/x']);
    },
  );
});

describe('moving to a service whose ETags are no MD5s, with a CRC-64 that it compares', () => {
  test.each(sizes)('proves %s by its checksum, without reading it back', async (_size, sizeBytes) => {
    const bytes = bytesOf(sizeBytes, 1);
    await rig.put('a/x', bytes);
    const kms = new KmsService({ hidesEtags: true });
    kms.defaults.set(rig.otherBucket, underKey('key-1'));
    kms.encrypted.set(`${rig.bucket}/a/x`, underKey('key-1'));
    const read: string[] = [];
    await through((client) => {
      client.checksums.learn({}, { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' });
      return kms.around({
        ...client,
        getObject: async (input, options) => {
          // Ignores the last byte of multipart objects, which is always read.
          if (input.range?.firstByte !== sizeBytes - 1) read.push(input.bucket);
          return await client.getObject(input, options);
        },
      });
    });
    const jobId = rig.copyToOtherBucket(true, 'other');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
    expect((await rig.object('b/x', rig.otherBucket))?.equals(bytes)).toBe(true);
    expect(rig.items(jobId)).toMatchObject([{ verified: true, note: null }]);
    expect(read.filter((bucket) => bucket === rig.otherBucket)).toEqual([]);
  });
});

async function storedCopy(): Promise<Buffer> {
  return (await rig.object('b/x', rig.otherBucket)) ?? Buffer.alloc(0);
}

/** Includes the CRC-64 of the stored object in the response that `names` selects, and records the objects that are read whole. */
async function reporting(names: 'Complete' | 'HEAD', isRight: boolean): Promise<string[]> {
  const read: string[] = [];
  const kms = new KmsService({ hidesEtags: true });
  kms.defaults.set(rig.otherBucket, underKey('key-1'));
  kms.encrypted.set(`${rig.bucket}/a/x`, underKey('key-1'));
  const sum = (bytes: Buffer): string => checksumOf('crc64nvme', isRight ? bytes : bytes.subarray(1));
  await through((client) => {
    client.checksums.learn({}, { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' });
    return kms.around({
      ...client,
      createMultipartUpload: async ({ checksumAlgorithm: _dropped, ...input }, options) =>
        await client.createMultipartUpload(input, options),
      completeMultipartUpload: async (input, options) => {
        expect(input.checksums).toBeUndefined();
        const reply = await client.completeMultipartUpload(input, options);
        return names === 'Complete' ? { ...reply, checksums: { crc64nvme: sum(await storedCopy()) } } : reply;
      },
      headObject: async (input, options) => {
        const head = await client.headObject(input, options);
        if (names !== 'HEAD' || input.checksums !== true || input.bucket !== rig.otherBucket) return head;
        return { ...head, headers: { ...head.headers, 'x-amz-checksum-crc64nvme': sum(await storedCopy()) } };
      },
      getObject: async (input, options) => {
        if (input.range === undefined && input.bucket === rig.otherBucket) read.push(input.key);
        return await client.getObject(input, options);
      },
    });
  });
  return read;
}

describe('moving in parts to a service whose ETags are no MD5s, in an upload without a checksum', () => {
  const size = 3 * copyBytes + 5;

  test.each(['Complete', 'HEAD'] as const)(
    'is proved by the CRC-64 of all bytes that %s reports, without reading the copy',
    async (names) => {
      const bytes = bytesOf(size, 1);
      await rig.put('a/x', bytes);
      const read = await reporting(names, true);
      const jobId = rig.copyToOtherBucket(true, 'other');
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
      expect(rig.items(jobId)).toMatchObject([{ verified: true, note: null }]);
      expect(read).toEqual([]);
    },
  );

  test.each(['Complete', 'HEAD'] as const)('keeps the source if %s reports another CRC-64', async (names) => {
    const bytes = bytesOf(size, 1);
    await rig.put('a/x', bytes);
    await reporting(names, false);
    const jobId = rig.copyToOtherBucket(true, 'other');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
    expect(rig.items(jobId)).toMatchObject([{ error: { code: 'damaged' } }]);
    expect((await rig.object('a/x'))?.equals(bytes)).toBe(true);
  });
});
