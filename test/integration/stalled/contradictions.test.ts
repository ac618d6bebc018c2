import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { bytesOf, Rig, sha256, smallestPart } from '../../support/core/uploads-rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start();
});
afterEach(async () => {
  await rig.close();
});

const key = 'k';
const bytes = bytesOf(smallestPart * 2 + 100, 21);
const always = Number.POSITIVE_INFINITY;

async function isInPlace(): Promise<boolean> {
  return sha256((await rig.object(key)) ?? Buffer.alloc(0)) === sha256(bytes);
}

async function jobFor(): Promise<string> {
  return await rig.complete(await rig.begin(key, bytes, { partSize: smallestPart }));
}

/** Makes the service report success for CompleteMultipartUpload this many times without carrying it out. */
function idleCompletes(times: number): void {
  let left = times;
  rig.wrapClient = (client): S3Client => ({
    ...client,
    completeMultipartUpload: async (input, options) => {
      if (left <= 0) return await client.completeMultipartUpload(input, options);
      left -= 1;
      const { bucket } = input;
      return { location: null, bucket, key, etag: '"e-3"', checksums: {}, versionId: null, requestId: null };
    },
  });
}

describe('a CompleteMultipartUpload that hangs', () => {
  test('although applied is ended by a check of the key within minutes', async () => {
    rig.faults.add({ operation: 'CompleteMultipartUpload', action: { kind: 'hang', apply: true } });
    const before = rig.clock.passedMs;
    const job = await rig.settle(await jobFor());
    expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 1 });
    expect(rig.clock.passedMs - before).toBeLessThan(5 * 60_000);
    expect(rig.faults.hanging).toBe(0);
  });

  test('is reported after a minute, and "Check now" checks at once', async () => {
    const held = Promise.withResolvers<void>();
    rig.faults.add({ operation: 'CompleteMultipartUpload', action: { kind: 'hold', until: held.promise } });
    const jobId = await jobFor();
    await expect
      .poll(() => rig.uploads.jobs.job(jobId), { interval: 5 })
      .toMatchObject({ state: 'completing', waitsFor: 'complete-answer' });
    const looks = rig.asked('HeadObject');
    rig.uploads.lookNow(jobId);
    await expect.poll(() => rig.asked('HeadObject'), { interval: 1 }).toBeGreaterThan(looks);
    held.resolve();
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });
});

describe('a CompleteMultipartUpload that reports success but does nothing', () => {
  test('is detected and sent again after ten minutes without uploading parts again', async () => {
    idleCompletes(1);
    const before = rig.clock.passedMs;
    const job = await rig.settle(await jobFor());
    expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 2 });
    expect(rig.clock.passedMs - before).toBeGreaterThanOrEqual(590_000);
    expect(await isInPlace()).toBe(true);
  });

  test('over an unchanged object is detected and sent again', async () => {
    const standing = bytesOf(50, 3);
    await rig.client.putObject({
      bucket: rig.bucket,
      key,
      body: { sizeBytes: standing.byteLength, open: () => standing },
    });
    idleCompletes(1);
    expect(await rig.settle(await jobFor())).toMatchObject({ state: 'done', completeAttempts: 2 });
    expect(await isInPlace()).toBe(true);
  });

  test('every time needs attention, and a retry by the user can still succeed', async () => {
    idleCompletes(3);
    const job = await rig.settle(await jobFor());
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'not-carried-out', completeAttempts: 3 });
    rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done', outcome: 'completed' });
  });
});

describe('a NoSuchUpload for a listed upload', () => {
  test('at each CompleteMultipartUpload is retried ever less often, then needs attention', async () => {
    rig.faults.add({
      operation: 'CompleteMultipartUpload',
      times: always,
      action: { kind: 'status', status: 404, code: 'NoSuchUpload' },
    });
    const before = rig.clock.passedMs;
    const job = await rig.settle(await jobFor());
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'upload-contradicted' });
    expect(rig.asked('CompleteMultipartUpload')).toBe(10);
    expect(rig.clock.passedMs - before).toBeGreaterThan(120_000);
  });

  test('at some CompleteMultipartUpload requests does not keep the upload from being finished', async () => {
    rig.faults.add({
      operation: 'CompleteMultipartUpload',
      times: 4,
      action: { kind: 'status', status: 404, code: 'NoSuchUpload' },
    });
    expect(await rig.settle(await jobFor())).toMatchObject({ state: 'done', completeAttempts: 5 });
    expect(await isInPlace()).toBe(true);
  });

  test('at each part needs attention as contradicted, not as removed by others', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    rig.faults.add({
      operation: 'UploadPart',
      times: always,
      action: { kind: 'status', status: 404, code: 'NoSuchUpload' },
    });
    const job = await rig.settle(await rig.resume(ref, rig.file('a.bin', bytes)));
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'upload-contradicted' });
  });
});

describe('reading the last byte of a completed object', () => {
  test('is one extra request of one byte', async () => {
    const job = await rig.settle(await jobFor());
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(job.notReadBack).toBeUndefined();
    const reads = rig.faults.journal.filter((entry) => entry.operation === 'GetObject');
    const last = bytes.byteLength - 1;
    expect(reads.map((entry) => entry.headers.get('range'))).toEqual([`bytes=${last}-${last}`]);
    expect(rig.asked('HeadObject')).toBeLessThanOrEqual(3);
  });

  test.each([
    ['a write-only key', { kind: 'status', status: 403, code: 'AccessDenied' }],
    ['an unknown customer key', { kind: 'status', status: 400, code: 'InvalidRequest' }],
    ['a disabled KMS key', { kind: 'status', status: 400, code: 'KMS.DisabledException' }],
    ['an archive', { kind: 'status', status: 403, code: 'InvalidObjectState' }],
  ] as const)('may fail for %s, which is noted as not read back', async (_name, action) => {
    rig.faults.add({ operation: 'GetObject', times: always, action });
    expect(await rig.settle(await jobFor())).toMatchObject({
      state: 'done',
      outcome: 'completed',
      notReadBack: true,
    });
  });

  test('is retried if the service fails temporarily', async () => {
    rig.faults.add({ operation: 'GetObject', times: 7, action: { kind: 'reset', apply: false } });
    const job = await rig.settle(await jobFor());
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(job.notReadBack).toBeUndefined();
  });

  test('fails the job if GET refuses an object that HEAD describes', async () => {
    rig.faults.add({
      operation: 'GetObject',
      times: always,
      action: { kind: 'status', status: 409, code: 'BrokenMPU' },
    });
    expect(await rig.settle(await jobFor())).toMatchObject({
      state: 'needs-attention',
      reason: 'object-unreadable',
    });
    expect(rig.asked('CompleteMultipartUpload')).toBe(1);
  });

  test('a lost response is proved by HEAD while the parts are still listed', async () => {
    let listed: Awaited<ReturnType<S3Client['listParts']>> | null = null;
    rig.wrapClient = (client): S3Client => ({
      ...client,
      listParts: async (input, options) => (listed = listed ?? (await client.listParts(input, options))),
      completeMultipartUpload: async (input, options) => {
        await client.completeMultipartUpload(input, options);
        throw failure('network', 'lost', { retry: 'backoff', outcome: 'unknown' });
      },
    });
    const before = rig.clock.passedMs;
    expect(await rig.settle(await jobFor())).toMatchObject({ state: 'done', completeAttempts: 1 });
    expect(rig.clock.passedMs - before).toBeLessThan(60_000);
  });
});
