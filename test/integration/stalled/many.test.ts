import { afterEach, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import { runUntilKilled } from '../../support/core/killed-core.ts';
import { bytesOf, Rig, sha256, smallestPart, type RigOptions } from '../../support/core/uploads-rig.ts';

let rig: Rig;
afterEach(async () => await rig.close());

const bytes = bytesOf(2 * smallestPart + 7, 3);
/** An age at which parts no longer count as being written. */
const anHourMs = 3_600_000;

async function started(options: RigOptions = {}): Promise<Rig> {
  rig = await Rig.start(options);
  rig.clock.passedMs += anHourMs;
  return rig;
}

async function begun(count: number, parts?: readonly number[]): Promise<UploadRef[]> {
  const refs: UploadRef[] = [];
  for (let index = 0; index < count; index += 1)
    refs.push(
      await rig.begin(`many/${String(index).padStart(4, '0')}`, bytes, {
        partSize: smallestPart,
        ...(parts === undefined ? {} : { parts }),
      }),
    );
  return refs;
}

async function left(): Promise<readonly string[]> {
  const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
  return uploads.map(({ key }) => key);
}

async function only(made: Promise<{ readonly jobIds: readonly string[] }>): Promise<string> {
  const { jobIds } = await made;
  expect(jobIds).toHaveLength(1);
  return jobIds[0] ?? '';
}

test('one job aborts many uploads, counts the freed bytes and spares those not chosen', async () => {
  await started();
  const refs = await begun(12, [1, 2]);
  const kept = await rig.begin('many/0003', bytes, { partSize: smallestPart, parts: [1] });
  const jobId = await only(rig.many.abort(refs, null));
  const job = await rig.settle(jobId);
  expect(job).toMatchObject({
    kind: 'abort-many',
    state: 'done',
    outcome: 'aborted-many',
    bytesDone: 12 * 2 * smallestPart,
    items: { total: 12, done: 12, skipped: 0, failed: 0 },
  });
  // This upload has the same key but another id, so it is kept.
  expect(await left()).toEqual(['many/0003']);
  expect((await rig.client.listParts(kept)).parts).toHaveLength(1);
});

test('the report of aborting many uploads states for each if it was aborted, gone or failed', async () => {
  await started();
  const [aborted, gone, refused] = await begun(3, [1]);
  if (aborted === undefined || gone === undefined || refused === undefined) throw new Error('none');
  await rig.client.abortMultipartUpload(gone);
  rig.faults.add({
    operation: 'AbortMultipartUpload',
    key: refused.key,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const jobId = await only(rig.many.abort([aborted, gone, refused], null));
  const job = await rig.settle(jobId);
  expect(job).toMatchObject({
    state: 'needs-attention',
    reason: 'items-failed',
    bytesDone: smallestPart,
    items: { total: 3, done: 1, skipped: 1, failed: 1, noted: 1 },
  });
  const lines = await rig.report(jobId);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe('Bucket,Key,Upload ID,Result,Why,Size in bytes');
  expect(lines[1]).toBe(`bucket,many/0000,${aborted.uploadId},done,,${smallestPart}`);
  expect(lines[2]).toBe(`bucket,many/0001,${gone.uploadId},already gone,upload-gone,`);
  expect(lines[3]).toMatch(/^bucket,many\/0002,[^,]+,failed,.*AccessDenied.*,$/u);
  // Once the cause is gone, a retry handles only the failed items.
  rig.faults.clear();
  rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 2, skipped: 1, failed: 0 } });
  expect(rig.asked('AbortMultipartUpload')).toBe(1);
  expect(await left()).toEqual([]);
});

test('many uploads are aborted although their parts cannot be listed', async () => {
  await started();
  const refs = await begun(3, [1]);
  rig.faults.add({
    operation: 'ListParts',
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const jobId = await only(rig.many.abort(refs, null));
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { total: 3, done: 3, skipped: 0 } });
  rig.faults.clear();
  expect(await left()).toEqual([]);
});

test('an AbortMultipartUpload with a lost response is checked and counted as done by this job', async () => {
  await started();
  const refs = await begun(2, [1]);
  rig.faults.add({ operation: 'AbortMultipartUpload', times: 1, action: { kind: 'reset', apply: true } });
  const jobId = await only(rig.many.abort(refs, null));
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 2, skipped: 0 } });
  expect(await left()).toEqual([]);
});

test('an upload aborted just before a crash counts as aborted by the job', async () => {
  await started();
  const refs = await begun(3, [1]);
  const aborted = Promise.withResolvers<null>();
  rig.wrapClient = (client): S3Client => ({
    ...client,
    abortMultipartUpload: async (input, options) => {
      await client.abortMultipartUpload(input, options);
      aborted.resolve(null);
      await new Promise(() => undefined);
    },
  });
  const jobId = await only(rig.many.abort(refs, null));
  await aborted.promise;
  rig.wrapClient = (client) => client;
  await rig.restart(() => undefined, true);
  expect(await rig.settle(jobId)).toMatchObject({
    state: 'done',
    bytesDone: 3 * smallestPart,
    items: { total: 3, done: 3, skipped: 0 },
  });
});

test(
  'a core killed with SIGKILL while aborting many uploads continues with exactly its list',
  { timeout: 60_000 },
  async () => {
    await started();
    const refs = await begun(60, [1]);
    const others = await Promise.all(
      [0, 1, 2].map((index) => rig.begin(`other/${index}`, bytes, { partSize: smallestPart, parts: [1] })),
    );
    rig.faults.latencyMs = 10;
    const jobId = await only(rig.many.abort(refs, null));
    await rig.stop();
    for (const ms of [40, 90]) await runUntilKilled(rig, ms);
    await rig.restart();
    expect(await rig.settle(jobId, 40_000)).toMatchObject({
      state: 'done',
      items: { total: 60, done: 60, failed: 0 },
    });
    expect(await left()).toEqual(others.map(({ key }) => key));
  },
);

test('a job of collected uploads starts only on request and holds each upload once', async () => {
  await started();
  const refs = await begun(5, [1]);
  const { listId } = await rig.many.collect(refs.slice(0, 2), null);
  await rig.many.collect(refs.slice(1, 4), listId);
  expect(await left()).toHaveLength(5);
  const jobId = await only(rig.many.abort(refs.slice(3), listId));
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { total: 5, done: 5 } });
  expect(await left()).toEqual([]);
});

test('a collected list without a job is dropped at the next start', async () => {
  await started();
  const refs = await begun(2, [1]);
  const { listId } = await rig.many.collect(refs, null);
  expect(rig.items(listId)).toHaveLength(2);
  await rig.restart(() => rig.sweep());
  expect(rig.items(listId)).toEqual([]);
  await expect(rig.many.abort(refs, listId)).rejects.toMatchObject({ error: { reason: 'scan-gone' } });
  expect(await left()).toHaveLength(2);
});

test('aborting an upload first stops its resume, and none can start while it waits', async () => {
  await started();
  const [ref, second] = await begun(2, [1]);
  if (ref === undefined || second === undefined) throw new Error('none');
  rig.faults.add({ operation: 'UploadPart', times: Infinity, action: { kind: 'hang', apply: false } });
  const resumed = await rig.resume(ref, rig.file('a.bin', bytes));
  const jobId = await only(rig.many.abort([ref, second], null));
  const again = await rig.uploads.complete([
    { ref: second, fingerprint: '', standing: { kind: 'absent' }, acceptGaps: false },
  ]);
  expect(again.refused).toMatchObject([{ error: { reason: 'job-exists' } }]);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 2 } });
  expect(await rig.settle(resumed)).toMatchObject({ state: 'cancelled' });
  expect(await left()).toEqual([]);
});

test('an upload that may have been completed is not aborted until its outcome is known', async () => {
  await started();
  const [ref, second] = await begun(2);
  if (ref === undefined || second === undefined) throw new Error('none');
  rig.faults.add({
    operation: 'CompleteMultipartUpload',
    key: ref.key,
    times: Infinity,
    action: { kind: 'status', status: 500, code: 'InternalError' },
  });
  const completing = await only(rig.many.completeWhole([ref, second], null));
  for (;;) {
    const [item] = rig.items(completing);
    if (item?.work === 'stalled' && (item.upload?.completion ?? null) !== null) break;
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
  const jobId = await only(rig.many.abort([ref, second], null));
  const job = await rig.settle(jobId);
  expect(job.items?.failed).toBeGreaterThanOrEqual(1);
  expect(rig.items(jobId)[0]).toMatchObject({ state: 'failed', error: { reason: 'job-exists' } });
  expect(rig.asked('AbortMultipartUpload')).toBe(0);
});

test('one job completes many uploads and leaves those that need a decision with their reason', async () => {
  await started();
  const whole = await begun(3);
  const gaps = await rig.begin('gaps', bytes, { partSize: smallestPart, parts: [1, 3] });
  const empty = await rig.begin('empty', bytes, { partSize: smallestPart, parts: [] });
  const occupied = await rig.begin('taken', bytes, { partSize: smallestPart });
  const body = { sizeBytes: 3, open: () => Buffer.from('old') };
  await rig.client.putObject({ bucket: rig.bucket, key: 'taken', body });
  const gone = await rig.begin('gone', bytes, { partSize: smallestPart });
  await rig.client.abortMultipartUpload(gone);
  const jobId = await only(rig.many.completeWhole([...whole, gaps, empty, occupied, gone], null));
  const job = await rig.settle(jobId);
  expect(job).toMatchObject({
    kind: 'complete-many',
    state: 'needs-attention',
    reason: 'items-failed',
    items: { total: 7, done: 3, skipped: 1, failed: 3 },
  });
  expect(rig.items(jobId).map(({ key, state, error, note }) => [key, state, error?.reason ?? note])).toEqual([
    ['many/0000', 'done', null],
    ['many/0001', 'done', null],
    ['many/0002', 'done', null],
    ['gaps', 'failed', 'upload-has-gaps'],
    ['empty', 'failed', 'no-parts'],
    ['taken', 'failed', 'key-taken'],
    ['gone', 'skipped', 'upload-gone'],
  ]);
  for (const { key } of whole) expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
  expect(String(await rig.object('taken'))).toBe('old');
  expect(await left()).toEqual(['empty', 'gaps', 'taken']);
  // A retry does not decide conflicts.
  rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
  expect(await rig.settle(jobId)).toMatchObject({ items: { done: 3, failed: 3 } });
  expect(String(await rig.object('taken'))).toBe('old');
});

test('an upload that is still being written is not completed with many others', async () => {
  rig = await Rig.start();
  const refs = await begun(2);
  const jobId = await only(rig.many.completeWhole(refs, null));
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', items: { done: 0, failed: 2 } });
  expect(rig.items(jobId)[0]).toMatchObject({ error: { reason: 'upload-being-written' } });
  expect(rig.asked('CompleteMultipartUpload')).toBe(0);
});

test('many uploads are completed only in the state that the user has seen', async () => {
  await started();
  const refs = await begun(3);
  const checks = await rig.uploads.inspector.check(refs, new AbortController().signal);
  const requests = checks.map(({ ref, fingerprint, standing }) => ({
    ref,
    fingerprint,
    standing,
    acceptGaps: false,
  }));
  const [changed, occupied] = refs;
  if (changed === undefined || occupied === undefined) throw new Error('none');
  await rig.put(changed, 3, Buffer.from('another end'));
  const body = { sizeBytes: 3, open: () => Buffer.from('new') };
  await rig.client.putObject({ bucket: rig.bucket, key: occupied.key, body });
  const jobId = await only(rig.many.complete(requests));
  expect(await rig.settle(jobId)).toMatchObject({ items: { done: 1, failed: 2 } });
  expect(rig.items(jobId).map(({ error }) => error?.reason ?? null)).toEqual([
    'parts-changed',
    'target-changed',
    null,
  ]);
  // A retry confirms nothing that the user has not been asked.
  rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
  expect(await rig.settle(jobId)).toMatchObject({ items: { done: 1, failed: 2 } });
  expect(String(await rig.object(occupied.key))).toBe('new');
});

test('a CompleteMultipartUpload with a lost response among many is verified, not sent twice', async () => {
  await started();
  const refs = await begun(4);
  rig.faults.add({ operation: 'CompleteMultipartUpload', times: 2, action: { kind: 'reset', apply: true } });
  const jobId = await only(rig.many.completeWhole(refs, null));
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 4 } });
  expect(rig.asked('CompleteMultipartUpload')).toBe(4);
});

test(
  'a core killed with SIGKILL while completing many uploads continues, and every object is complete',
  { timeout: 60_000 },
  async () => {
    await started();
    const refs = await begun(30);
    const checks = await rig.uploads.inspector.check(refs, new AbortController().signal);
    rig.faults.latencyMs = 10;
    const requests = checks.map(({ ref, fingerprint, standing }) => ({
      ref,
      fingerprint,
      standing,
      acceptGaps: false,
    }));
    const jobId = await only(rig.many.complete(requests));
    await rig.stop();
    for (const ms of [50, 120]) await runUntilKilled(rig, ms);
    await rig.restart();
    expect(await rig.settle(jobId, 50_000)).toMatchObject({ state: 'done', items: { done: 30, failed: 0 } });
    for (const { key } of refs)
      expect(sha256((await rig.object(key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
    expect(rig.asked('AbortMultipartUpload')).toBe(0);
  },
);

test('a cancelled job of many leaves uploads that it has not aborted', async () => {
  await started();
  const refs = await begun(40, [1]);
  rig.faults.latencyMs = 15;
  const jobId = await only(rig.many.abort(refs, null));
  while (rig.asked('AbortMultipartUpload') === 0)
    await new Promise((resolve) => {
      setTimeout(resolve, 3);
    });
  rig.uploads.jobs.send(jobId, { kind: 'cancel' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled' });
  await rig.restart();
  // Requests in flight may still be carried out; items that were not started never are.
  expect((await left()).length).toBeGreaterThan(0);
  expect(rig.asked('AbortMultipartUpload')).toBeLessThan(40);
});
