import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesOf, Rig, sha256, smallestPart } from '../../support/core/uploads-rig.ts';
import { remedyFor } from '../../../renderer/features/transfers/queue/job-actions.ts';
import type { OperationRequest } from '../../../electron/service/interceptor.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { FaultAction } from '../../support/lab-service/faults.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start();
});
afterEach(async () => {
  await rig.close();
});

const key = 'folder/a b+c ü.bin';

describe('finishing an upload from a file', () => {
  test('sends only the missing parts, and the object has the bytes of the file', async () => {
    const bytes = bytesOf(smallestPart * 6 + 1234, 1);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2, 5] });
    const file = rig.file('a.bin', bytes);
    const plan = await rig.plan(ref, file);
    expect(plan).toMatchObject({
      refusal: null,
      partSizeBytes: smallestPart,
      partsTotal: 7,
      partsVerified: 3,
      partsMissing: 4,
      bytesToSend: smallestPart * 3 + 1234,
    });
    rig.faults.clear();
    const job = await rig.settle(await rig.resume(ref, file));
    expect(job).toMatchObject({ state: 'done', outcome: 'completed', partsDone: 7 });
    expect([...rig.sentParts()].toSorted((a, b) => a - b)).toEqual([3, 4, 6, 7]);
    expect(rig.asked('CompleteMultipartUpload')).toBe(1);
    expect(rig.asked('AbortMultipartUpload')).toBe(0);
    expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
    const attempts = rig.uploads.jobs.attempts(job.id, null, 100).map((attempt) => attempt.request);
    expect(attempts).toContain('complete');
    expect(attempts).toContain('list-parts');
  });

  test('sends a part that differs again', async () => {
    const bytes = bytesOf(smallestPart * 4, 2);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2] });
    await rig.put(ref, 2, bytesOf(smallestPart, 99));
    const file = rig.file('a.bin', bytes);
    expect(await rig.plan(ref, file)).toMatchObject({ partsVerified: 1, partsDiffer: 1, partsMissing: 2 });
    const job = await rig.settle(await rig.resume(ref, file));
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });

  test('refuses the wrong file before sending a byte', async () => {
    const bytes = bytesOf(smallestPart * 4, 3);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2] });
    const plan = await rig.plan(ref, rig.file('b.bin', bytesOf(smallestPart * 4, 4)));
    expect(plan.refusal).toBe('all-differ');
    expect(() =>
      rig.uploads.resume(plan.planId, {
        parallelParts: null,
        bandwidthBytesPerSecond: null,
        acceptUnverified: false,
      }),
    ).toThrow(/not the one/);
  });

  test('refuses a file that is too short', async () => {
    const bytes = bytesOf(smallestPart * 4, 3);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    expect((await rig.plan(ref, rig.file('b.bin', bytes.subarray(0, smallestPart * 2 + 7)))).refusal).toBe(
      'too-short',
    );
  });

  describe('if the file is the start of the stored bytes', () => {
    const longer = bytesOf(smallestPart * 6, 3);

    test.each([
      ['ends with a part', smallestPart * 3, null, null],
      ['ends within a part', smallestPart * 3 + 77, 'too-short', 4],
    ] as const)(
      'and %s, names the parts beyond it and leaves them out after confirmation',
      async (_name, sizeBytes, refusal, partReplaced) => {
        const bytes = longer.subarray(0, sizeBytes);
        const ref = await rig.begin(key, longer, { partSize: smallestPart });
        const file = rig.file('a.bin', bytes);
        expect(await rig.plan(ref, file)).toMatchObject({
          refusal,
          partsVerified: 3,
          partsBeyond: [{ from: 4, to: 6 }],
          partReplaced,
          mayLeaveOut: true,
        });
        expect(await rig.settle(await rig.resume(ref, file, { leaveOut: true }))).toMatchObject({
          state: 'done',
          outcome: 'completed',
        });
        expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
      },
    );

    test('and a part of it is not stored, sends that part and leaves out the parts beyond', async () => {
      const bytes = longer.subarray(0, smallestPart * 3);
      const ref = await rig.begin(key, longer, { partSize: smallestPart, parts: [1, 3, 4, 6] });
      const file = rig.file('a.bin', bytes);
      const plan = await rig.plan(ref, file);
      expect(plan).toMatchObject({ refusal: 'too-short', partsMissing: 1, partReplaced: null });
      expect(plan.partsBeyond).toEqual([
        { from: 4, to: 4 },
        { from: 6, to: 6 },
      ]);
      await expect(rig.resume(ref, file)).rejects.toThrow(/not the one/);
      rig.faults.clear();
      const job = await rig.settle(await rig.resume(ref, file, { leaveOut: true }));
      expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
      expect(rig.sentParts()).toEqual([2]);
      expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
    });

    test('but one of its parts differs, refuses the file as too short', async () => {
      const bytes = Buffer.from(longer.subarray(0, smallestPart * 3 + 77));
      bytes[5] = (bytes[5] ?? 0) ^ 1;
      const ref = await rig.begin(key, longer, { partSize: smallestPart });
      expect(await rig.plan(ref, rig.file('a.bin', bytes))).toMatchObject({
        refusal: 'too-short',
        partsBeyond: [],
      });
    });

    test('and the service refuses a subset of parts, reports it and uploads the file again', async () => {
      const bytes = longer.subarray(0, smallestPart * 3);
      const ref = await rig.begin(key, longer, { partSize: smallestPart });
      const file = rig.file('a.bin', bytes);
      rig.faults.add({
        operation: 'CompleteMultipartUpload',
        action: { kind: 'status', status: 400, code: 'InvalidPart' },
      });
      const refused = await rig.settle(await rig.resume(ref, file));
      expect(refused).toMatchObject({
        state: 'needs-attention',
        reason: 'subset-refused',
        partNumbers: [4, 5, 6],
      });
      const other = await rig.begin('other', longer, { partSize: smallestPart });
      const plan = await rig.plan(other, file);
      expect(plan).toMatchObject({ refusal: null, mayLeaveOut: false });

      const { jobId } = await rig.uploads.uploadAgain({ kind: 'job', jobId: refused.id });
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
      expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
      const again = await rig.uploads.uploadAgain({ kind: 'plan', planId: plan.planId });
      expect(await rig.settle(again.jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
      // Sending the files in new uploads does not change the parts stored before.
      expect((await rig.client.listParts(ref)).parts).toHaveLength(6);
      expect((await rig.client.listParts(other)).parts).toHaveLength(6);
      expect(rig.asked('AbortMultipartUpload')).toBe(0);
    });
  });

  test('of an upload created without a checksum carries none, though the service compares them', async () => {
    rig.client.checksums.learn({}, { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' });
    const carried: string[] = [];
    rig.wrapClient = (client) => ({
      ...client,
      uploadPart: async (input, options) => {
        carried.push(...Object.keys(input.checksums ?? {}));
        return await client.uploadPart(input, options);
      },
      completeMultipartUpload: async (input, options) => {
        carried.push(...Object.keys(input.checksums ?? {}));
        return await client.completeMultipartUpload(input, options);
      },
    });
    const bytes = bytesOf(smallestPart * 3 + 7, 8);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    expect(await rig.settle(await rig.resume(ref, rig.file('a.bin', bytes)))).toMatchObject({
      state: 'done',
      outcome: 'completed',
    });
    expect(carried).toEqual([]);
    expect(await rig.object(key)).toEqual(bytes);
  });

  describe.each([
    [
      'larger parts than the service takes now',
      'part-too-large',
      {
        when: ({ headers }: OperationRequest) => Number(headers.get('content-length')) > smallestPart,
        action: { kind: 'status', status: 413, code: 'EntityTooLarge' },
      },
    ],
    [
      'more parts than the service takes now',
      'too-many-parts',
      {
        when: ({ partNumber }: OperationRequest) => (partNumber ?? 0) > 3,
        action: {
          kind: 'status',
          status: 400,
          code: 'InvalidArgument',
          message: 'Part number must be an integer between 1 and 3, inclusive',
        },
      },
    ],
  ] as const)('of an upload that has %s', (_name, reason, fault) => {
    test('names the limit, and the file is uploaded again in parts that fit', async () => {
      const bytes = bytesOf(smallestPart * 12 + 7, 8);
      const partSize = smallestPart * 2;
      const ref = await rig.begin(key, bytes, { partSize, parts: [1, 2] });
      rig.faults.add({ ...fault, operation: 'UploadPart', times: Infinity });
      const refused = await rig.settle(await rig.resume(ref, rig.file('a.bin', bytes)));
      expect(refused).toMatchObject({ state: 'needs-attention', reason: 'refused', error: { reason } });
      expect(remedyFor(refused)).toBe('upload-again');

      const { jobId } = await rig.uploads.uploadAgain({ kind: 'job', jobId: refused.id });
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
      expect(await rig.object(key)).toEqual(bytes);
      // The parts of the first upload stay for the user to abort.
      expect((await rig.client.listParts(ref)).parts.length).toBeGreaterThanOrEqual(2);
    });
  });

  test('notes in the plan that the upload is still being written', async () => {
    const bytes = bytesOf(smallestPart * 2, 6);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    const file = rig.file('a.bin', bytes);
    expect((await rig.plan(ref, file)).stillBeingWritten).toBe(true);
    rig.clock.passedMs += 16 * 60_000;
    expect((await rig.plan(ref, file)).stillBeingWritten).toBe(false);
  });

  test.each(['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const)(
    'created with %s sends the checksums with each part and the Complete',
    async (checksum) => {
      const bytes = bytesOf(smallestPart * 3 + 5, 5);
      const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 3], checksum });
      const job = await rig.settle(await rig.resume(ref, rig.file('a.bin', bytes)));
      expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
      expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
    },
  );

  test('with ETags that are not MD5 keeps the parts if confirmed, else sends them again', async () => {
    const bytes = bytesOf(smallestPart * 3, 6);
    if (rig.service !== null) rig.service.quirks.etags = 'opaque';
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2] });
    const file = rig.file('a.bin', bytes);
    expect((await rig.plan(ref, file)).refusal).toBe('all-differ');
    const plan = await rig.plan(ref, file, true);
    expect(plan).toMatchObject({
      refusal: null,
      partsUnverifiable: 2,
      partsMissing: 1,
      bytesToSend: smallestPart,
    });
    rig.faults.clear();
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: true };
    const job = await rig.settle(rig.uploads.resume(plan.planId, options).jobId);
    expect(job).toMatchObject({ state: 'done' });
    expect(rig.sentParts()).toEqual([3]);
    expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });

  test('of an empty upload chooses a part size', async () => {
    const bytes = bytesOf(1000, 6);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [] });
    const job = await rig.settle(await rig.resume(ref, rig.file('a.bin', bytes)));
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });
});

describe('completing an upload with the parts it has', () => {
  test('makes an object of its parts', async () => {
    const bytes = bytesOf(smallestPart * 2 + 9, 7);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    const job = await rig.settle(await rig.complete(ref));
    expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 1 });
    expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });

  test('with gaps needs a second confirmation', async () => {
    const bytes = bytesOf(smallestPart * 3, 7);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 3] });
    const refused = await rig.settle(await rig.complete(ref));
    expect(refused).toMatchObject({ state: 'needs-attention', reason: 'cannot-complete' });
    await rig.uploads.jobs.clear([refused.id]);
    const job = await rig.settle(await rig.complete(ref, true));
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    const expected = Buffer.concat([bytes.subarray(0, smallestPart), bytes.subarray(2 * smallestPart)]);
    expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(expected));
  });

  test('is refused if parts changed after the confirmation', async () => {
    const bytes = bytesOf(smallestPart * 3, 7);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2] });
    const [check] = await rig.uploads.inspector.check([ref], new AbortController().signal);
    await rig.put(ref, 3, bytes.subarray(0, smallestPart));
    if (check === undefined) throw new Error('The check did not come.');
    const { fingerprint, standing } = check;
    const made = await rig.uploads.complete([{ ref, fingerprint, standing, acceptGaps: false }]);
    const job = await rig.settle(made.jobIds[0] ?? '');
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'parts-changed' });
    expect(rig.asked('CompleteMultipartUpload')).toBe(0);
  });

  test('without parts or with too small parts is refused with the reason', async () => {
    const empty = await rig.begin('empty', Buffer.alloc(0), { partSize: smallestPart, parts: [] });
    const small = await rig.begin('small', bytesOf(300, 1), { partSize: 100 });
    const gone = { ...small, uploadId: 'no-such-upload' };
    const checks = await rig.uploads.inspector.check([empty, small, gone], new AbortController().signal);
    expect(checks.map((check) => check.problem)).toEqual(['no-parts', 'part-too-small', 'upload-gone']);
    expect(checks[1]?.partNumbers).toEqual([1, 2]);
  });
});

describe('aborting an upload', () => {
  test('after confirmation repeats until the service no longer knows it', async () => {
    const ref = await rig.begin(key, bytesOf(smallestPart, 8), { partSize: smallestPart });
    const made = await rig.uploads.abort([ref]);
    const job = await rig.settle(made.jobIds[0] ?? '');
    expect(job).toMatchObject({ state: 'done', outcome: 'aborted' });
    const page = await rig.client.listMultipartUploads({ bucket: rig.bucket });
    expect(page.uploads).toEqual([]);
  });

  const unlisted = [
    ['403', { kind: 'status', status: 403, code: 'AccessDenied' }],
    ['501', { kind: 'status', status: 501, code: 'NotImplemented' }],
    ['500', { kind: 'status', status: 500, code: 'InternalError' }],
    ['an HTML page', { kind: 'ok-html', apply: false }],
    ['an empty body', { kind: 'ok-empty', apply: false }],
    ['a broken connection', { kind: 'reset', apply: false }],
  ] as const satisfies readonly (readonly [string, FaultAction])[];

  test.each(unlisted)('with %s for ListParts is proved by a second Abort', async (_, action) => {
    const ref = await rig.begin(key, bytesOf(smallestPart, 8), { partSize: smallestPart });
    rig.faults.clear();
    rig.faults.add({ operation: 'ListParts', times: Infinity, action });
    const made = await rig.uploads.abort([ref]);
    expect(await rig.settle(made.jobIds[0] ?? '')).toMatchObject({ state: 'done', outcome: 'aborted' });
    expect(rig.faults.journal[0]).toMatchObject({ operation: 'AbortMultipartUpload' });
    rig.faults.clear();
    const page = await rig.client.listMultipartUploads({ bucket: rig.bucket });
    expect(page.uploads).toEqual([]);
  });

  test('that is accepted again and again without a list of parts is not called verified', async () => {
    const ref = await rig.begin(key, bytesOf(smallestPart, 8), { partSize: smallestPart });
    rig.faults.add({
      operation: 'ListParts',
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const { client } = rig;
    rig.wrapClient = (wrapped): S3Client => ({
      ...wrapped,
      abortMultipartUpload: async (input, options) => {
        await client.abortMultipartUpload(input, options).catch(() => undefined);
      },
    });
    const made = await rig.uploads.abort([ref]);
    expect(await rig.settle(made.jobIds[0] ?? '')).toMatchObject({
      state: 'done',
      outcome: 'aborted-unchecked',
    });
  });

  test('that is accepted once while the parts stay listed is not called done when the next one is refused', async () => {
    const ref = await rig.begin(key, bytesOf(smallestPart, 8), { partSize: smallestPart });
    rig.faults.add({
      operation: 'AbortMultipartUpload',
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    let sentCount = 0;
    rig.wrapClient = (wrapped): S3Client => ({
      ...wrapped,
      abortMultipartUpload: async (input, options) => {
        sentCount += 1;
        if (sentCount > 1) await wrapped.abortMultipartUpload(input, options);
      },
    });
    const made = await rig.uploads.abort([ref]);
    expect(await rig.settle(made.jobIds[0] ?? '')).toMatchObject({
      state: 'needs-attention',
      reason: 'access-denied',
    });
  });

  test('that the service refuses keeps the upload and reports the error', async () => {
    const ref = await rig.begin(key, bytesOf(smallestPart, 8), { partSize: smallestPart });
    rig.faults.add({
      operation: ['ListParts', 'AbortMultipartUpload'],
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const made = await rig.uploads.abort([ref]);
    expect(await rig.settle(made.jobIds[0] ?? '')).toMatchObject({
      state: 'needs-attention',
      reason: 'access-denied',
    });
    rig.faults.clear();
    expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toHaveLength(1);
  });
});
