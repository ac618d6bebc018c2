import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { isCephInstalled, startCeph, type Ceph } from '../../support/servers/ceph.ts';
import { isInstalled } from '../../support/installed.ts';
import { bytesOf, Rig, sha256 } from '../../support/core/uploads-rig.ts';

const run = promisify(execFile);
const MiB = 1024 * 1024;
const partSize = 5 * MiB;

/** Ceph deviates from AWS: an empty ETag on completion, 200 or 500 for a repeat, 500 or NoSuchKey for an unknown upload. */
describe.skipIf(!isCephInstalled())('stalled uploads on Ceph RGW (if installed)', () => {
  let ceph: Ceph;
  let rig: Rig;
  const bytes = bytesOf(3 * partSize + 12_345, 31);

  beforeAll(async () => {
    ceph = await startCeph();
    rig = await Rig.start({
      external: { endpoint: ceph.endpoint, region: ceph.region, credentials: () => Promise.resolve(ceph) },
      minPartBytes: partSize,
      sleepMs: 100,
    });
  }, 180_000);
  afterAll(async () => {
    await rig.close();
    ceph.stop();
  });

  /** Loses the first responses to CompleteMultipartUpload; `applied`: the service carried out the requests. */
  function loseCompletes(times: number, applied: boolean): { count: number } {
    const seen = { count: 0 };
    rig.wrapClient = (client): S3Client => ({
      ...client,
      completeMultipartUpload: async (input, options) => {
        seen.count += 1;
        const isLost = seen.count <= times;
        const reply = isLost && !applied ? null : await client.completeMultipartUpload(input, options);
        if (reply === null || isLost)
          throw failure('network', 'lost', { retry: 'backoff', outcome: 'unknown' });
        return reply;
      },
    });
    return seen;
  }

  async function isInPlace(key: string): Promise<boolean> {
    return sha256((await rig.object(key)) ?? Buffer.alloc(0)) === sha256(bytes);
  }

  test('are finished from a file by sending only what is missing', { timeout: 60_000 }, async () => {
    rig.wrapClient = (client) => client;
    const ref = await rig.begin('from file/ü +%.bin', bytes, { partSize, parts: [1, 3] });
    const file = rig.file('a.bin', bytes);
    expect(await rig.plan(ref, file)).toMatchObject({ refusal: null, partsVerified: 2, partsMissing: 2 });
    const job = await rig.settle(await rig.resume(ref, file), 60_000);
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace('from file/ü +%.bin')).toBe(true);
  });

  test(
    'are finished from several files by one job without sending existing parts',
    { timeout: 90_000 },
    async () => {
      rig.wrapClient = (client) => client;
      const refs: UploadRef[] = [];
      let listId: string | null = null;
      for (const index of [0, 1, 2]) {
        const ref = await rig.begin(`many/ü ${index}`, bytes, { partSize, parts: [1, 3] });
        const { planId } = await rig.plan(ref, rig.file(`many-${index}`, bytes));
        ({ listId } = rig.many.collectPlan(planId, listId));
        refs.push(ref);
      }
      const [first] = refs;
      if (first === undefined || listId === null) throw new Error('none');
      const before = await rig.client.listParts(first);
      const { jobId } = rig.many.resume(listId);
      expect(before.parts).toHaveLength(2);
      expect(await rig.settle(jobId, 80_000)).toMatchObject({
        state: 'done',
        bytesDone: 3 * bytes.byteLength,
        items: { total: 3, done: 3, failed: 0 },
      });
      for (const { key } of refs) expect(await isInPlace(key)).toBe(true);
      expect(await rig.report(jobId)).toHaveLength(4);
    },
  );

  test('are completed as they are, despite an empty ETag in the response', { timeout: 60_000 }, async () => {
    rig.wrapClient = (client) => client;
    const ref = await rig.begin('as-is', bytes, { partSize });
    const job = await rig.settle(await rig.complete(ref), 60_000);
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace('as-is')).toBe(true);
  });

  test(
    'with a lost response that was applied are completed and not sent again',
    { timeout: 60_000 },
    async () => {
      const ref = await rig.begin('lost-answer', bytes, { partSize });
      const seen = loseCompletes(1, true);
      const job = await rig.settle(await rig.complete(ref), 60_000);
      expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 1 });
      expect(seen.count).toBe(1);
    },
  );

  test(
    'with a lost request are completed again after ten minutes without a change',
    { timeout: 60_000 },
    async () => {
      const ref = await rig.begin('lost-request', bytes, { partSize });
      loseCompletes(1, false);
      const job = await rig.settle(await rig.complete(ref), 60_000);
      expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 2 });
      expect(await isInPlace('lost-request')).toBe(true);
    },
  );

  test(
    'are resumed after a restart during an applied CompleteMultipartUpload',
    { timeout: 60_000 },
    async () => {
      const ref = await rig.begin('crashed', bytes, { partSize });
      const applied = Promise.withResolvers<null>();
      rig.wrapClient = (client): S3Client => ({
        ...client,
        completeMultipartUpload: async (input) => {
          await client.completeMultipartUpload(input);
          applied.resolve(null);
          return await new Promise(() => undefined);
        },
      });
      const jobId = await rig.complete(ref);
      await applied.promise;
      rig.wrapClient = (client) => client;
      // As after a kill: the running effect never ends, and only the store is reopened.
      await rig.restart(() => undefined, true);
      expect(await rig.settle(jobId, 60_000)).toMatchObject({
        state: 'done',
        outcome: 'completed',
        completeAttempts: 1,
      });
    },
  );

  test(
    'with parts to leave out are refused, reported, and the file uploaded again',
    { timeout: 120_000 },
    async () => {
      rig.wrapClient = (client) => client;
      const ref = await rig.begin('longer', bytes, { partSize });
      const file = rig.file('beginning.bin', bytes.subarray(0, 2 * partSize));
      expect(await rig.plan(ref, file)).toMatchObject({ refusal: null, partsBeyond: [{ from: 3, to: 4 }] });
      const refused = await rig.settle(await rig.resume(ref, file), 60_000);
      expect(refused).toMatchObject({
        state: 'needs-attention',
        reason: 'subset-refused',
        partNumbers: [3, 4],
      });
      expect((await rig.plan(ref, file)).mayLeaveOut).toBe(false);
      const { jobId } = await rig.uploads.uploadAgain({ kind: 'job', jobId: refused.id });
      expect(await rig.settle(jobId, 60_000)).toMatchObject({ state: 'done', outcome: 'completed' });
      const object = (await rig.object('longer')) ?? Buffer.alloc(0);
      expect(sha256(object)).toBe(sha256(bytes.subarray(0, 2 * partSize)));
      expect((await rig.client.listParts(ref)).parts).toHaveLength(4);
    },
  );

  test('aborted by others are reported as gone', { timeout: 60_000 }, async () => {
    rig.wrapClient = (client) => client;
    const ref = await rig.begin('aborted', bytes, { partSize, parts: [1] });
    const plan = await rig.plan(ref, rig.file('a.bin', bytes));
    await rig.client.abortMultipartUpload(ref);
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const job = await rig.settle(rig.uploads.resume(plan.planId, options).jobId, 60_000);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'upload-gone' });
  });

  test('are aborted until Ceph no longer lists them', { timeout: 60_000 }, async () => {
    rig.wrapClient = (client) => client;
    const ref = await rig.begin('to-abort', bytes, { partSize, parts: [1, 2] });
    const made = await rig.uploads.abort([ref]);
    expect(await rig.settle(made.jobIds[0] ?? '', 60_000)).toMatchObject({
      state: 'done',
      outcome: 'aborted',
    });
    const page = await rig.client.listMultipartUploads({ bucket: rig.bucket, prefix: 'to-abort' });
    expect(page.uploads).toEqual([]);
  });

  test(
    'are completed or aborted in large numbers by one job with one report',
    { timeout: 120_000 },
    async () => {
      rig.wrapClient = (client) => client;
      const part = bytes.subarray(0, 1000);
      const begin = async (prefix: string, count: number): Promise<UploadRef[]> => {
        const refs: UploadRef[] = [];
        for (let index = 0; index < count; index += 1)
          refs.push(await rig.begin(`${prefix}/ü +%/${index}`, part, { partSize }));
        return refs;
      };
      const whole = await begin('whole', 12);
      const unwanted = await begin('unwanted', 25);
      const [gone] = unwanted;
      if (gone === undefined) throw new Error('none');
      await rig.client.abortMultipartUpload(gone);
      rig.clock.passedMs += 3_600_000;
      const completing = await rig.many.completeWhole(whole, null);
      expect(await rig.settle(completing.jobIds[0] ?? '', 60_000)).toMatchObject({
        state: 'done',
        items: { total: 12, done: 12 },
      });
      for (const { key } of whole)
        expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(part));
      const aborting = await rig.many.abort(unwanted, null);
      expect(await rig.settle(aborting.jobIds[0] ?? '', 60_000)).toMatchObject({
        state: 'done',
        bytesDone: 24 * 1000,
        items: { total: 25, done: 24, skipped: 1 },
      });
      for (const prefix of ['whole/', 'unwanted/'])
        expect((await rig.client.listMultipartUploads({ bucket: rig.bucket, prefix })).uploads).toEqual([]);
      expect(
        (await rig.report(aborting.jobIds[0] ?? '')).filter((line) => line.includes('already gone')),
      ).toHaveLength(1);
    },
  );

  test.skipIf(!isInstalled('aws'))('started by aws s3api are finished', { timeout: 120_000 }, async () => {
    rig.wrapClient = (client) => client;
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: rig.dir,
      AWS_ACCESS_KEY_ID: ceph.accessKeyId,
      AWS_SECRET_ACCESS_KEY: ceph.secretAccessKey,
      AWS_DEFAULT_REGION: ceph.region,
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    const api = async (...parameters: string[]): Promise<Record<string, unknown>> => {
      const { stdout } = await run('aws', ['--endpoint-url', ceph.endpoint, 's3api', ...parameters], { env });
      return JSON.parse(stdout === '' ? '{}' : stdout) as Record<string, unknown>;
    };
    const target = ['--bucket', rig.bucket, '--key', 'by-aws'];
    const begun = await api('create-multipart-upload', ...target);
    const part = path.join(rig.dir, 'part');
    writeFileSync(part, bytes.subarray(partSize, 2 * partSize));
    const uploadId = String(begun['UploadId']);
    await api('upload-part', ...target, '--upload-id', uploadId, '--part-number', '2', '--body', part);
    const ref = { connectionId: 'c', bucket: rig.bucket, key: 'by-aws', uploadId };
    const job = await rig.settle(await rig.resume(ref, rig.file('a.bin', bytes)), 60_000);
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace('by-aws')).toBe(true);
  });
});
