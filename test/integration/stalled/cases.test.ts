import { utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppFailure, failure } from '../../../shared/errors.ts';
import type { JobsEvent } from '../../../shared/models/jobs.ts';
import type { Credentials } from '../../../electron/core/s3/model/connection-types.ts';
import { bytesOf, Rig, rigKeys, sha256, smallestPart } from '../../support/core/uploads-rig.ts';

let rig: Rig;
let keysExpired = false;
const credentials = (): Promise<Credentials> =>
  keysExpired
    ? Promise.reject(failure('auth-expired', 'expired', { retry: 'after-fix' }))
    : Promise.resolve(rigKeys);
beforeEach(async () => {
  keysExpired = false;
  rig = await Rig.start({ credentials, timeouts: { firstByteMs: 10_000, inactivityMs: 2000 } });
});
afterEach(async () => {
  await rig.close();
});

const key = 'k';
const bytes = bytesOf(smallestPart * 4 + 100, 21);
const none = new AbortController().signal;

async function isInPlace(expected: Uint8Array = bytes): Promise<boolean> {
  return sha256((await rig.object(key)) ?? Buffer.alloc(0)) === sha256(expected);
}

describe('the response to CompleteMultipartUpload', () => {
  test.each([
    ['an empty ETag (Ceph)', { completionEtag: 'empty' }],
    ['a repeat that returns the same result (AWS, newer Ceph)', { repeatedCompletion: 'same-result' }],
    ['a repeat that returns 404 (Yandex, MinIO)', { repeatedCompletion: 'no-such-upload' }],
    ['a repeat that returns 500', { repeatedCompletion: 'internal-error' }],
    ['NoSuchKey for a gone upload (Ceph)', { missingUpload: 'NoSuchKey' }],
    ['InternalError for a gone upload (Ceph)', { missingUpload: 'InternalError' }],
  ] as const)(
    'with %s means completed, also if the first response was lost',
    { timeout: 30_000 },
    async (_name, quirks) => {
      if (rig.service !== null) Object.assign(rig.service.quirks, quirks);
      const ref = await rig.begin(key, bytes, { partSize: smallestPart });
      rig.faults.add({ operation: 'CompleteMultipartUpload', action: { kind: 'reset', apply: true } });
      const job = await rig.settle(await rig.complete(ref));
      expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 1 });
      expect(await isInPlace()).toBe(true);
      const second = await rig.begin('other', bytes, { partSize: smallestPart });
      expect(await rig.settle(await rig.complete(second))).toMatchObject({
        state: 'done',
        outcome: 'completed',
      });
    },
  );

  test('that follows white space longer than the silence limit means completed', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    rig.faults.add({
      operation: 'CompleteMultipartUpload',
      action: { kind: 'whitespace', bytes: 4096, ms: 4500 },
    });
    const job = await rig.settle(await rig.complete(ref));
    expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 1 });
  });

  test('with InvalidPart is not retried, and the parts that differ are shown', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    rig.faults.add({
      operation: 'CompleteMultipartUpload',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'status', status: 400, code: 'InvalidPart' },
    });
    const job = await rig.settle(await rig.complete(ref));
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'parts-rejected' });
    expect(rig.asked('CompleteMultipartUpload')).toBe(1);
  });

  test('with 504 while the service continues is not repeated before ten minutes of silence', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    rig.faults.add({
      operation: 'CompleteMultipartUpload',
      action: { kind: 'status', status: 504, code: 'X' },
    });
    const before = rig.clock.passedMs;
    const job = await rig.settle(await rig.complete(ref));
    expect(job).toMatchObject({ state: 'done', completeAttempts: 2 });
    expect(rig.clock.passedMs - before).toBeGreaterThanOrEqual(590_000);
  });

  test('on an object that already has the expected ETag means wanted bytes', async () => {
    const first = await rig.begin(key, bytes, { partSize: smallestPart });
    await rig.settle(await rig.complete(first));
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    rig.faults.add({ operation: 'CompleteMultipartUpload', action: { kind: 'reset', apply: true } });
    expect(await rig.settle(await rig.complete(ref))).toMatchObject({
      state: 'done',
      outcome: 'wanted-bytes',
    });
  });
});

describe('an upload', () => {
  test('that others complete meanwhile leaves an object with the wanted bytes', async () => {
    const file = rig.file('a.bin', bytes);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    const plan = await rig.plan(ref, file);
    const { parts } = await rig.client.listParts(ref);
    await rig.client.completeMultipartUpload({ ...ref, parts });
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const job = await rig.settle(rig.uploads.resume(plan.planId, options).jobId);
    expect(job).toMatchObject({ state: 'done', outcome: 'wanted-bytes' });
  });

  test('that the service expires is reported as gone without a loop', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    const plan = await rig.plan(ref, rig.file('a.bin', bytes));
    await rig.client.abortMultipartUpload(ref);
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const job = await rig.settle(rig.uploads.resume(plan.planId, options).jobId);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'upload-gone' });
  });

  test('to which others send parts meanwhile has these verified and not sent again', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    const plan = await rig.plan(ref, rig.file('a.bin', bytes));
    for (const part of [2, 3])
      await rig.put(ref, part, bytes.subarray((part - 1) * smallestPart, part * smallestPart));
    rig.faults.clear();
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const job = await rig.settle(rig.uploads.resume(plan.planId, options).jobId);
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect([...rig.sentParts()].toSorted((a, b) => a - b)).toEqual([4, 5]);
  });

  test('chosen among several of its key is finished, and the others are not', async () => {
    const other = await rig.begin(key, bytesOf(smallestPart * 2, 5), { partSize: smallestPart });
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    await rig.settle(await rig.complete(ref));
    expect(await isInPlace()).toBe(true);
    expect((await rig.client.listParts(other)).parts).toHaveLength(2);
  });

  test('that two programs finish at once ends correctly in both', async () => {
    const second = await Rig.start({
      external: {
        endpoint: rig.service?.endpoint ?? '',
        region: 'us-east-1',
        credentials: () => Promise.resolve(rigKeys),
      },
    });
    try {
      const file = rig.file('a.bin', bytes);
      const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [2] });
      const ids = [await rig.resume(ref, file), await second.resume(ref, file)];
      const jobs = [await rig.settle(ids[0] ?? ''), await second.settle(ids[1] ?? '')];
      expect(jobs.map((job) => job.state)).toEqual(['done', 'done']);
      expect(await isInPlace()).toBe(true);
    } finally {
      await second.close();
    }
  });

  test('that a job is completing is refused to a second job', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    rig.faults.add({ operation: 'CompleteMultipartUpload', action: { kind: 'delay', ms: 500 } });
    const first = await rig.complete(ref);
    while (rig.uploads.jobs.job(first)?.state !== 'completing')
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    await expect(rig.complete(ref)).rejects.toThrow(/job for this upload already/);
    const refused = await rig.uploads.abort([ref]);
    expect(refused.refused.map((refusal) => refusal.error.reason)).toEqual(['outcome-unknown']);
    await rig.settle(first);
    expect(rig.asked('AbortMultipartUpload')).toBe(0);
  });
});

describe('an object at the key of an upload', () => {
  const other = bytesOf(77, 5);
  const write = async (): Promise<void> => {
    await rig.client.putObject({
      bucket: rig.bucket,
      key,
      body: { sizeBytes: other.byteLength, open: () => other },
    });
  };
  /** Makes another client write the key between the last check and CompleteMultipartUpload. */
  const writesLast = (): void => {
    let isFirst = true;
    rig.wrapClient = (client) => ({
      ...client,
      completeMultipartUpload: async (input, options) => {
        if (isFirst) await write();
        isFirst = false;
        return await client.completeMultipartUpload(input, options);
      },
    });
  };

  test('is replaced if the user has seen it', async () => {
    await write();
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    expect(await rig.settle(await rig.complete(ref))).toMatchObject({ state: 'done', completeAttempts: 1 });
    expect(await isInPlace()).toBe(true);
  });

  test.each([
    ['after the user agreed', 'free', async () => await write()],
    ['just before the Complete', 'free', async () => await Promise.resolve(writesLast())],
    ['just before the Complete', 'taken', async () => await Promise.resolve(writesLast())],
  ] as const)(
    'that appears %s (it was %s) is not replaced without another confirmation',
    async (_when, before, interfere) => {
      const old = bytesOf(5, 6);
      if (before === 'taken')
        await rig.client.putObject({ bucket: rig.bucket, key, body: { sizeBytes: 5, open: () => old } });
      const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2] });
      const plan = await rig.plan(ref, rig.file('a.bin', bytes));
      await interfere();
      const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
      const job = await rig.settle(rig.uploads.resume(plan.planId, options).jobId);
      expect(job).toMatchObject({
        state: 'needs-attention',
        reason: 'target-changed',
        inTheWay: { kind: 'present', sizeBytes: 77 },
      });
      expect(await isInPlace(other)).toBe(true);
      rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
      rig.faults.clear();
      expect(await rig.settle(job.id)).toMatchObject({ state: 'done', outcome: 'completed' });
      expect(rig.sentParts()).toEqual([]);
      expect(await isInPlace()).toBe(true);
    },
  );

  test.each(['ignored', 'refused'] as const)(
    'is noticed by a check just before if conditions are %s',
    async (conditionalWrites) => {
      if (rig.service !== null) rig.service.quirks.conditionalWrites = conditionalWrites;
      const ref = await rig.begin(key, bytes, { partSize: smallestPart });
      expect(await rig.settle(await rig.complete(ref))).toMatchObject({
        state: 'done',
        outcome: 'completed',
      });
      expect(await isInPlace()).toBe(true);
      const second = await rig.begin(key, bytes.subarray(0, smallestPart + 1), { partSize: smallestPart });
      const [check] = await rig.uploads.inspector.check([second], none);
      if (check === undefined) throw new Error('The check did not come.');
      await write();
      const { fingerprint, standing } = check;
      const made = await rig.uploads.complete([{ ref: second, fingerprint, standing, acceptGaps: false }]);
      const job = await rig.settle(made.jobIds[0] ?? '');
      expect(job).toMatchObject({ state: 'needs-attention', reason: 'target-changed' });
      expect(await isInPlace(other)).toBe(true);
    },
  );

  test("whose condition is refused although it is fulfilled makes Cooper ignore the service's conditions", async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    rig.faults.add({
      operation: 'CompleteMultipartUpload',
      times: Infinity,
      when: ({ headers }) => headers.has('if-none-match'),
      action: { kind: 'status', status: 412, code: 'PreconditionFailed' },
    });
    expect(await rig.settle(await rig.complete(ref))).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });

  test('written by a CompleteMultipartUpload with a lost response, whose repetition is refused, means completed', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    // Carried out, but the upload is still listed for a while. The repeat is refused because the object exists.
    rig.faults.add({
      operation: 'CompleteMultipartUpload',
      action: { kind: 'status', status: 412, code: 'PreconditionFailed', apply: true },
    });
    expect(await rig.settle(await rig.complete(ref))).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });

  test('that is removed after the user saw it lets the upload complete', async () => {
    await write();
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    rig.wrapClient = (client) => ({
      ...client,
      completeMultipartUpload: async (input, options) => {
        await rig.client.deleteObject({ bucket: rig.bucket, key });
        return await client.completeMultipartUpload(input, options);
      },
    });
    expect(await rig.settle(await rig.complete(ref))).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });
});

describe('the local file of an upload', () => {
  test('that is edited while it is sent stops the job and completes nothing', async () => {
    const file = rig.file('a.bin', bytes);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    rig.faults.latencyMs = 20;
    const jobId = await rig.resume(ref, file, { parallelParts: 1 });
    const changed = Buffer.from(bytes);
    changed[smallestPart * 3] = 1;
    writeFileSync(file, changed);
    utimesSync(file, new Date(), new Date(Date.now() + 10_000));
    const job = await rig.settle(jobId);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'file-changed' });
    expect(rig.asked('CompleteMultipartUpload')).toBe(0);
  });

  test('that is moved away is asked for, and the job resumes when it is chosen again', async () => {
    const file = rig.file('a.bin', bytes);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    const plan = await rig.plan(ref, file);
    const { renameSync } = await import('node:fs');
    renameSync(file, `${file}.moved`);
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const { jobId } = rig.uploads.resume(plan.planId, options);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'file-missing' });
    const wrong = rig.file('wrong.bin', bytesOf(bytes.byteLength, 77));
    await expect(rig.uploads.giveFile(jobId, wrong)).rejects.toThrow(/content of this file differs/);
    await expect(rig.uploads.giveFile(jobId, rig.file('short', Buffer.alloc(3)))).rejects.toThrow(
      /size of this file differs/,
    );
    await rig.uploads.giveFile(jobId, `${file}.moved`);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });
});

describe('the queue of uploads', () => {
  test('pauses when keys expire and resumes with new ones', async () => {
    const file = rig.file('a.bin', bytes);
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    const plan = await rig.plan(ref, file);
    keysExpired = true;
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const { jobId } = rig.uploads.resume(plan.planId, options);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'paused', reason: 'needs-new-keys' });
    keysExpired = false;
    rig.uploads.jobs.connectionChanged('c');
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(rig.settled.map((job) => job.state)).toEqual(['paused', 'done']);
  });

  test('stops the senders when paused and sends only the rest when resumed', async () => {
    const big = bytesOf(smallestPart * 30, 3);
    const ref = await rig.begin(key, big, { partSize: smallestPart, parts: [1] });
    const file = rig.file('a.bin', big);
    const plan = await rig.plan(ref, file);
    rig.faults.clear();
    rig.faults.latencyMs = 10;
    const options = { parallelParts: 1, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const { jobId } = rig.uploads.resume(plan.planId, options);
    while (rig.asked('UploadPart') < 5) await new Promise((resolve) => setImmediate(resolve));
    await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'pause' });
    await rig.uploads.jobs.idle();
    expect(rig.uploads.jobs.job(jobId)).toMatchObject({ state: 'paused', reason: 'by-user' });
    const sent = rig.asked('UploadPart');
    await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'resume' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(sent).toBeLessThan(29);
    expect(rig.asked('UploadPart')).toBeLessThanOrEqual(30);
    expect(await isInPlace(big)).toBe(true);
  });

  test('never aborts the upload on the service when cancelled', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    rig.faults.latencyMs = 10;
    const jobId = await rig.resume(ref, rig.file('a.bin', bytes));
    await rig.uploads.jobs.sendMany([jobId], { states: null, connectionId: null }, { kind: 'cancel' });
    expect(rig.uploads.jobs.job(jobId)?.state).toBe('cancelled');
    await rig.uploads.jobs.idle();
    expect(rig.asked('AbortMultipartUpload')).toBe(0);
    expect((await rig.client.listParts(ref)).parts.length).toBeGreaterThan(0);
  });

  test('pauses on a full disk without loss and resumes when there is room', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    const jobId = await rig.resume(ref, rig.file('a.bin', bytes));
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    let isFull = true;
    const refused = { count: 0 };
    rig.storeHooks = {
      onTransaction: (when) => {
        if (!isFull || when !== 'before') return;
        refused.count += 1;
        throw full;
      },
    };
    while (refused.count < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(rig.uploads.jobs.job(jobId)).toMatchObject({ state: 'paused', reason: 'disk-full' });
    isFull = false;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });

  test('retries scheduled jobs at once after sleep', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    const plan = await rig.plan(ref, rig.file('a.bin', bytes));
    rig.faults.add({
      operation: 'ListParts',
      action: { kind: 'status', status: 503, code: 'SlowDown', retryAfterSeconds: 3600 },
    });
    // Makes every wait endless, so that only a command lets the job continue.
    rig.clock.sleep = (_delayMs, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const { jobId } = rig.uploads.resume(plan.planId, options);
    await expect.poll(() => rig.uploads.jobs.job(jobId)?.state, { timeout: 5_000 }).toBe('retry-scheduled');
    rig.uploads.jobs.wake();
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });

  test('sets an unreadable record aside and continues with the others', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    const other = await rig.begin('other', bytes, { partSize: smallestPart });
    rig.uploads.jobs.updateSettings({ jobsAtOnce: 1 });
    const broken = await rig.complete(ref);
    const whole = await rig.complete(other);
    await rig.settle(whole);
    rig.database.prepare(`UPDATE jobs SET data = '{"id":1' WHERE id = ?`).run(broken);
    await rig.restart();
    expect(rig.uploads.jobs.job(whole)?.state).toBe('done');
    expect(rig.uploads.jobs.job(broken)).toBeNull();
    expect(rig.uploads.jobs.changes.counts()).toMatchObject({ broken: 1, total: 1 });
  });

  test('coalesces changes and reports each settled job once', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    const stop = new AbortController();
    const events: JobsEvent[] = [];
    const watching = (async () => {
      for await (const event of rig.uploads.jobs.changes.watch(stop.signal)) events.push(event);
    })();
    const jobId = await rig.complete(ref);
    await rig.settle(jobId);
    while (!events.some((event) => event.settled.some(({ id }) => id === jobId)))
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    stop.abort();
    await watching;
    expect(events.flatMap((event) => event.settled.map(({ id }) => id))).toEqual([jobId]);
  });
});

describe('network trouble and concurrent changes:', () => {
  test(
    'a service unavailable for a while delays the job, which resumes on its own',
    { timeout: 30_000 },
    async () => {
      const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
      const plan = await rig.plan(ref, rig.file('a.bin', bytes));
      let isAway = true;
      rig.wrapClient = (client) =>
        new Proxy(client, {
          get: (target, name, receiver): unknown =>
            isAway && name !== 'then'
              ? () =>
                  Promise.reject(
                    failure('network', 'refused', { retry: 'backoff', reason: 'connection-refused' }),
                  )
              : Reflect.get(target, name, receiver),
        });
      const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
      const { jobId } = rig.uploads.resume(plan.planId, options);
      while (rig.uploads.jobs.attempts(jobId, null, 200).length < 60)
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      expect(rig.settled).toEqual([]);
      isAway = false;
      rig.uploads.jobs.wake();
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'completed' });
      expect(await isInPlace()).toBe(true);
    },
  );

  test('aborting an upload by the user stops its senders first', { timeout: 30_000 }, async () => {
    const big = bytesOf(smallestPart * 30, 3);
    const ref = await rig.begin(key, big, { partSize: smallestPart, parts: [1] });
    const plan = await rig.plan(ref, rig.file('a.bin', big));
    rig.faults.clear();
    rig.faults.latencyMs = 10;
    const options = { parallelParts: 4, bandwidthBytesPerSecond: null, acceptUnverified: false };
    const { jobId } = rig.uploads.resume(plan.planId, options);
    while (rig.asked('UploadPart') < 6)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    const made = await rig.uploads.abort([ref]);
    expect(await rig.settle(made.jobIds[0] ?? '')).toMatchObject({ state: 'done', outcome: 'aborted' });
    expect(rig.uploads.jobs.job(jobId)?.state).toBe('cancelled');
    const operations = rig.faults.journal.map((entry) => entry.operation);
    expect(operations.lastIndexOf('UploadPart')).toBeLessThan(operations.indexOf('AbortMultipartUpload'));
    expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
  });

  test('a service that requires equal parts (R2) gets them, even after parts of another size', async () => {
    if (rig.service !== null) rig.service.quirks.equalPartSizes = true;
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2, 4] });
    const job = await rig.settle(await rig.resume(ref, rig.file('a.bin', bytes)));
    expect(job).toMatchObject({ state: 'done', outcome: 'completed' });
    expect(await isInPlace()).toBe(true);
  });

  test('parts of several sizes with a gap are kept if they match', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [] });
    const sizes = [smallestPart, smallestPart + 1000];
    await rig.put(ref, 1, bytes.subarray(0, sizes[0]));
    await rig.put(ref, 2, bytes.subarray(smallestPart, 2 * smallestPart + 1000));
    await rig.put(ref, 4, bytes.subarray(3 * smallestPart + 1000));
    const file = rig.file('a.bin', bytes);
    expect(await rig.plan(ref, file)).toMatchObject({ refusal: null, partsVerified: 3, partsMissing: 1 });
    rig.faults.clear();
    expect(await rig.settle(await rig.resume(ref, file))).toMatchObject({
      state: 'done',
      outcome: 'completed',
    });
    expect(rig.sentParts()).toEqual([3]);
    expect(await isInPlace()).toBe(true);
  });

  test('parts that are too small are replaced from there on, and the object is complete', async () => {
    const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1] });
    await rig.put(ref, 2, bytes.subarray(smallestPart, smallestPart + 100));
    await rig.put(ref, 3, bytes.subarray(smallestPart + 100, 2 * smallestPart));
    const file = rig.file('a.bin', bytes);
    expect(await rig.plan(ref, file)).toMatchObject({ refusal: null, partsVerified: 1 });
    expect(await rig.settle(await rig.resume(ref, file))).toMatchObject({
      state: 'done',
      outcome: 'completed',
    });
    expect(await isInPlace()).toBe(true);
  });
});

describe('scanning for uploads', () => {
  test('finds uploads and parts beyond one page', { timeout: 60_000 }, async () => {
    // Writes to the store directly, because requests would take longer than the tested scan.
    const { service } = rig;
    const { id = 0 } = service?.store.buckets.get(rig.bucket) ?? {};
    for (let index = 0; index < 1100; index += 1)
      service?.store.createUpload(id, `many/${index % 600}`, {
        initiatedMs: Date.now(),
        storageClass: 'STANDARD',
        attributes: { headers: {}, metadata: {} },
        checksumAlgorithm: null,
        checksumType: null,
      });
    const events = [];
    for await (const event of rig.uploads.scans.scan(
      { connectionId: 'c', bucket: null, prefix: 'many/' },
      none,
    ))
      events.push(event);
    const last = events.at(-1);
    expect(last).toMatchObject({ found: 1100, finished: true, errors: [] });
    const filter = { text: '', verdicts: null, bucket: null, begunBefore: null };
    const sort = { by: 'key' as const, descending: false };
    const rows = rig.uploads.scans.rows({ scanId: last?.scanId ?? '', offset: 0, limit: 500, sort, filter });
    expect(rows).toMatchObject({ total: 1100, unread: 1100, found: 1100 });
    expect(rows.totals).toEqual({ storedBytes: 0, unread: 1100, oldestAt: expect.stringMatching(/Z$/u) });
    const read = await rig.uploads.scans.inspect(
      last?.scanId ?? '',
      rows.rows.slice(0, 3).map((row) => row.id),
      none,
    );
    expect(read.map((row) => row.verdict)).toEqual(['empty', 'empty', 'empty']);
    const unique = new Set(
      rig.uploads.scans
        .select({ scanId: last?.scanId ?? '', filter, offset: 0, limit: 10_000 })
        .refs.map((ref) => ref.uploadId),
    );
    expect(unique.size).toBe(1100);
    expect(
      await rig.uploads.scans.count({ connectionId: 'c', bucket: rig.bucket, prefix: '' }, none),
    ).toEqual({ count: 1100, isComplete: true });
  });

  test('reads more than 1000 parts of an upload', { timeout: 60_000 }, async () => {
    const ref = await rig.begin('parts', Buffer.alloc(1), { partSize: 1 });
    for (let part = 2; part <= 1100; part += 1)
      await rig.service?.store.putPartBytes(ref.uploadId, part, Buffer.alloc(1, 7), Date.now());
    expect((await rig.uploads.inspector.open(ref, none)).parts).toMatchObject({
      partCount: 1100,
      gapCount: 0,
    });
    expect((await rig.uploads.inspector.parts(ref, 1000, 200, none)).parts).toHaveLength(100);
  });

  test('can be replaced by a typed key and upload id if the service lists no uploads', async () => {
    if (rig.service !== null) rig.service.quirks.listUploads = 'none';
    const ref = await rig.begin(key, bytes, { partSize: smallestPart });
    const detail = await rig.uploads.inspector.open(ref, none);
    expect(detail).toMatchObject({ initiatedAt: null, parts: { partCount: 5 }, check: { problem: null } });
    expect(await rig.settle(await rig.complete(ref))).toMatchObject({ state: 'done' });
  });

  test('reports the failure of one bucket and lists the others', async () => {
    await rig.client.createBucket({ bucket: 'second' });
    await rig.begin(key, bytes, { partSize: smallestPart, parts: [] });
    rig.faults.add({
      operation: 'ListMultipartUploads',
      bucket: 'second',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const events = [];
    for await (const event of rig.uploads.scans.scan({ connectionId: 'c', bucket: null, prefix: '' }, none))
      events.push(event);
    expect(events.at(-1)).toMatchObject({ found: 1, bucketsDone: 2, errors: [{ bucket: 'second' }] });
  });

  test("fails with the service's error code", async () => {
    const ref = { connectionId: 'c', bucket: rig.bucket, key, uploadId: 'nope' };
    await expect(rig.uploads.inspector.open(ref, none)).rejects.toBeInstanceOf(AppFailure);
  });
});
