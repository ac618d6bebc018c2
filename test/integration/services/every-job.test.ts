import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, smallestPart } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';
import {
  b2,
  followPlan,
  servicePlans,
  withoutUploadLists,
  type KindOfJob,
  type ServicePlan,
} from '../../support/lab-service/service-plans.ts';

let rig: TransferRig;
afterEach(async () => {
  await rig.close();
});

const small = bytesOf(9 * KiB, 1);
const large = bytesOf(5 * smallestPart + 3, 2);
const objects = { small, large } as const;
const key = (name: string): SelectionItem => ({ kind: 'key', key: name });
const none = { replaceAll: false, set: {}, remove: [] };

/** Makes the service follow the plan from the program's first request on. */
async function underPlan(
  plan: ServicePlan,
  prepare: () => Promise<void> = async () => undefined,
): Promise<void> {
  rig = await TransferRig.start();
  // Written by another client, so that the tested one has not learned anything about the service.
  for (const [name, bytes] of Object.entries(objects)) await rig.put(name, bytes);
  await prepare();
  await rig.restart();
  followPlan(rig.service, plan);
}

/** Checks that the job succeeds; otherwise fails with the errors of its items. */
async function succeeds(jobId: string | null): Promise<void> {
  if (jobId === null) throw new Error('There was nothing to do.');
  const { state, error } = await rig.settle(jobId);
  const failed = rig.items(jobId).flatMap((item) => (item.error === null ? [] : [item.error]));
  expect({ state, error, failed }).toEqual({ state: 'done', error: null, failed: [] });
}

type JobTest = readonly [name: KindOfJob, play: (plan: ServicePlan) => Promise<void>];

async function copy(plan: ServicePlan, isMove: boolean): Promise<void> {
  await underPlan(plan);
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
    items: [key('small'), key('large')],
    to: { connectionId: 'c', bucket: rig.otherBucket, prefix: 'to/' },
    options: { onConflict: 'ask', isMove },
  });
  if (jobId === null) throw new Error('There was nothing to do.');
  await succeeds(jobId);
  for (const [name, bytes] of Object.entries(objects))
    expect(await rig.object(`to/${name}`, rig.otherBucket)).toEqual(bytes);
  expect(await rig.keys()).toEqual(isMove ? [] : ['large', 'small']);
}

const jobs: readonly JobTest[] = [
  [
    'upload',
    async (plan) => {
      await underPlan(plan);
      const files = [rig.file('one', small), rig.file('two', large)];
      await succeeds(await rig.upload(files));
      expect(await rig.object('one')).toEqual(small);
      expect(await rig.object('two')).toEqual(large);
    },
  ],
  [
    'download',
    async (plan) => {
      await underPlan(plan);
      await succeeds(await rig.download([{ kind: 'prefix', prefix: '' }]));
      for (const [name, bytes] of Object.entries(objects))
        expect(readFileSync(path.join(rig.fetchDir, name)).equals(bytes)).toBe(true);
    },
  ],
  [
    'list',
    async (plan) => {
      await underPlan(plan);
      expect(await rig.keys()).toEqual(['large', 'small']);
    },
  ],
  ['copy', async (plan) => await copy(plan, false)],
  ['move', async (plan) => await copy(plan, true)],
  [
    'delete',
    async (plan) => {
      await underPlan(plan);
      const { jobId } = rig.operations.delete(
        { connectionId: 'c', bucket: rig.bucket },
        [{ kind: 'prefix', prefix: '' }],
        'markers',
      );
      await succeeds(jobId);
      expect(await rig.keys()).toEqual([]);
    },
  ],
  [
    'change',
    async (plan) => {
      await underPlan(plan);
      const { jobId } = rig.operations.change(
        { connectionId: 'c', bucket: rig.bucket },
        [key('small'), key('large')],
        { cacheControl: 'max-age=7', metadata: none },
      );
      await succeeds(jobId);
      for (const [name, bytes] of Object.entries(objects)) {
        const head = await rig.client.headObject({ bucket: rig.bucket, key: name });
        expect(head.headers['cache-control']).toBe('max-age=7');
        expect(await rig.object(name)).toEqual(bytes);
      }
    },
  ],
  [
    'stalled',
    async (plan) => {
      await underPlan(plan, async () => {
        const ref = { bucket: rig.bucket, key: 'stalled' };
        const { uploadId } = await rig.client.createMultipartUpload(ref);
        for (const [index, bytes] of [bytesOf(smallestPart, 5), bytesOf(smallestPart, 6)].entries())
          await rig.client.uploadPart({
            ...ref,
            uploadId,
            partNumber: index + 1,
            body: { sizeBytes: bytes.byteLength, open: () => bytes },
          });
      });
      rig.clock.passedMs += 3_600_000;
      const { signal } = new AbortController();
      let scanId = '';
      for await (const event of rig.uploads.scans.scan(
        { connectionId: 'c', bucket: rig.bucket, prefix: '' },
        signal,
      )) {
        scanId = event.scanId;
        expect(event.errors).toEqual([]);
      }
      const { rows } = rig.uploads.scans.rows({
        scanId,
        offset: 0,
        limit: 10,
        sort: { by: 'key', descending: false },
        filter: { text: '', verdicts: null, bucket: null, begunBefore: null },
      });
      expect(rows.map((row) => row.key)).toEqual(['stalled']);
      const refs = rows.map(({ uploadId }) => ({
        connectionId: 'c',
        bucket: rig.bucket,
        key: 'stalled',
        uploadId,
      }));
      const { jobIds } = await rig.many.completeWhole(refs, null);
      for (const jobId of jobIds)
        expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 1 } });
      expect(await rig.object('stalled')).toEqual(
        Buffer.concat([bytesOf(smallestPart, 5), bytesOf(smallestPart, 6)]),
      );
    },
  ],
];

/** Plans with the kind of job for which they were written. These are always tested, other combinations are sampled. */
const always: readonly (readonly [ServicePlan, KindOfJob])[] = [
  [b2, 'download'],
  ...withoutUploadLists.map((plan) => [plan, 'upload'] as const),
];

describe.each(servicePlans.map((plan, draw) => [plan.name, plan, draw] as const))(
  'on %s',
  (_name, plan, draw) => {
    const possible = jobs.filter(([kind]) => plan.lacks?.includes(kind) !== true);
    const chosen = sampleOf(possible, 2, draw);
    const made = possible.filter(([kind]) => always.some(([of, job]) => of === plan && job === kind));
    test.each([...new Set([...made, ...chosen])])('the job "%s" succeeds', async (_kind, play) => {
      await expect(play(plan)).resolves.toBeUndefined();
    });
  },
);
