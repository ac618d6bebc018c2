import { rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import { runUntilKilled } from '../../support/core/killed-core.ts';
import { bytesOf, Rig, sha256, smallestPart } from '../../support/core/uploads-rig.ts';

let rig: Rig;
afterEach(async () => await rig.close());

interface Wanted {
  readonly ref: UploadRef;
  readonly bytes: Buffer;
  readonly file: string;
}

/** Creates uploads of files with three full parts and a short fourth one; only `parts` are stored. */
async function stalled(count: number, parts: readonly number[] = [1, 3]): Promise<Wanted[]> {
  const all: Wanted[] = [];
  for (let index = 0; index < count; index += 1) {
    const bytes = bytesOf(3 * smallestPart + index, 100 + index);
    const name = `f${String(index).padStart(4, '0')}`;
    const ref = await rig.begin(`many/${name}`, bytes, { partSize: smallestPart, parts });
    all.push({ ref, bytes, file: rig.file(name, bytes) });
  }
  return all;
}

/** Plans each upload and persists its plan, as the dialog does. */
async function planned(all: readonly Wanted[]): Promise<string> {
  let listId: string | null = null;
  for (const { ref, file } of all) {
    const { planId } = await rig.plan(ref, file);
    ({ listId } = rig.many.collectPlan(planId, listId));
  }
  if (listId === null) throw new Error('none');
  return listId;
}

async function resumed(all: readonly Wanted[]): Promise<string> {
  return rig.many.resume(await planned(all)).jobId;
}

async function expectWhole(all: readonly Wanted[]): Promise<void> {
  for (const { ref, bytes } of all)
    expect(sha256((await rig.object(ref.key)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
}

test('one job resumes many uploads from their files, sends only what is missing and has one report', async () => {
  rig = await Rig.start();
  // Exceeds the number of plans that the core keeps for single uploads.
  const all = await stalled(60);
  const before = rig.sentParts().length;
  const jobId = await resumed(all);
  const total = all.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  expect(await rig.settle(jobId)).toMatchObject({
    kind: 'resume-many',
    state: 'done',
    outcome: 'resumed-many',
    bytesTotal: total,
    bytesDone: total,
    items: { total: 60, done: 60, skipped: 0, failed: 0 },
  });
  await expectWhole(all);
  const sent = rig.sentParts().slice(before);
  // The first file has three parts, the others a short fourth part.
  expect(sent).toHaveLength(60 + 59);
  expect(new Set(sent)).toEqual(new Set([2, 4]));
  const lines = await rig.report(jobId);
  expect(lines).toHaveLength(61);
  expect(lines[1]).toBe(`bucket,many/f0000,${all[0]?.ref.uploadId},done,,${3 * smallestPart}`);
});

test('a list of uploads to resume sends no request before its job starts and is dropped without one', async () => {
  rig = await Rig.start();
  const all = await stalled(2);
  const listId = await planned(all);
  const before = rig.sentParts().length;
  await rig.restart(() => rig.sweep());
  expect(rig.items(listId)).toEqual([]);
  expect(rig.database.prepare('SELECT count(*) AS n FROM job_parts').get()).toEqual({ n: 0 });
  expect(() => rig.many.resume(listId)).toThrow(/no longer exists/u);
  expect(rig.sentParts()).toHaveLength(before);
});

test('a plan for the wrong file is not stored for a resume of many', async () => {
  rig = await Rig.start();
  const [upload] = await stalled(1);
  if (upload === undefined) throw new Error('none');
  const { planId, refusal } = await rig.plan(upload.ref, rig.file('other', bytesOf(3 * smallestPart, 7)));
  expect(refusal).not.toBeNull();
  expect(() => rig.many.collectPlan(planId, null)).toThrow(/not the one/u);
});

test('an upload that cannot be finished is a failed item with its reason, and a retry takes only that', async () => {
  rig = await Rig.start();
  const all = await stalled(5);
  const [whole, gone, changed, missing, replaced] = all;
  if (!whole || !gone || !changed || !missing || !replaced) throw new Error('none');
  const listId = await planned(all);
  await rig.client.abortMultipartUpload(gone.ref);
  rig.file('f0002', bytesOf(3 * smallestPart + 2, 999));
  rmSync(missing.file);
  const body = { sizeBytes: 3, open: () => Buffer.from('new') };
  await rig.client.putObject({ bucket: rig.bucket, key: replaced.ref.key, body });
  const { jobId } = rig.many.resume(listId);
  expect(await rig.settle(jobId)).toMatchObject({
    state: 'needs-attention',
    reason: 'items-failed',
    items: { total: 5, done: 1, failed: 4 },
  });
  const reasons = (): unknown =>
    rig.items(jobId).map(({ state, error }) => [state, error?.reason ?? error?.code ?? null]);
  const failedAll = [
    ['done', null],
    ['failed', expect.stringMatching(/upload/u)],
    ['failed', 'file-changed'],
    ['failed', 'file-missing'],
    ['failed', 'target-changed'],
  ];
  expect(reasons()).toEqual(failedAll);
  // A retry confirms nothing that the user has not been asked.
  rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', items: { done: 1, failed: 4 } });
  expect(reasons()).toEqual(failedAll);
  expect(String(await rig.object(replaced.ref.key))).toBe('new');
  expect(await rig.object(changed.ref.key)).toBeNull();
  // Once the key is free again, the same plan is finished.
  await rig.client.deleteObject({ bucket: rig.bucket, key: replaced.ref.key });
  rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
  expect(await rig.settle(jobId)).toMatchObject({ items: { done: 2, failed: 3 } });
  await expectWhole([whole, replaced]);
  expect(rig.asked('AbortMultipartUpload')).toBe(1);
});

test('a second resume or an abort of an upload is refused while a job of many holds it', async () => {
  rig = await Rig.start();
  const all = await stalled(3);
  rig.faults.add({ operation: 'UploadPart', times: Infinity, action: { kind: 'hang', apply: false } });
  const listId = await planned(all);
  const [first, second] = all;
  if (first === undefined || second === undefined) throw new Error('none');
  const plan = await rig.plan(first.ref, first.file);
  const { jobId } = rig.many.resume(listId);
  expect(() => rig.many.collectPlan(plan.planId, null)).toThrow(/job/u);
  await expect(rig.resume(second.ref, second.file)).rejects.toMatchObject({
    error: { reason: 'job-exists' },
  });
  expect((await rig.uploads.abort([first.ref])).refused).toMatchObject([{ error: { reason: 'job-exists' } }]);
  rig.uploads.jobs.send(jobId, { kind: 'cancel' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled' });
  // The stored parts stay on the service.
  for (const { ref } of all) expect((await rig.client.listParts(ref)).parts).toHaveLength(2);
});

test('a CompleteMultipartUpload with a lost response in a resume of many is verified, not sent twice', async () => {
  rig = await Rig.start();
  const all = await stalled(4);
  rig.faults.add({ operation: 'CompleteMultipartUpload', times: 2, action: { kind: 'reset', apply: true } });
  expect(await rig.settle(await resumed(all))).toMatchObject({ state: 'done', items: { done: 4 } });
  expect(rig.asked('CompleteMultipartUpload')).toBe(4);
  await expectWhole(all);
});

test(
  'a core killed with SIGKILL while resuming many uploads continues, and every object is complete',
  { timeout: 60_000 },
  async () => {
    rig = await Rig.start();
    const all = await stalled(30);
    rig.faults.latencyMs = 10;
    const jobId = await resumed(all);
    await rig.stop();
    for (const ms of [50, 90, 130]) await runUntilKilled(rig, ms);
    await rig.restart();
    expect(await rig.settle(jobId, 50_000)).toMatchObject({ state: 'done', items: { done: 30, failed: 0 } });
    await expectWhole(all);
    expect(rig.asked('AbortMultipartUpload')).toBe(0);
  },
);
