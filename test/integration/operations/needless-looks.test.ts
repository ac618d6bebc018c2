import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../../electron/service/find-operation.ts';
import { makePlan, runPlan } from '../../support/core/sync-rig.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { pieceBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/core/uploads-rig.ts';
import type { FaultAction } from '../../support/lab-service/faults.ts';

/** Tests operations that must succeed although the service refuses a HEAD that is not essential for them. */
let rig: TransferRig;
rigOfFile(
  (started) => {
    rig = started;
  },
  { timeouts: { firstByteMs: 500, inactivityMs: 500 } },
);
afterEach(async () => {
  await rig.reset();
});

const refusals = [
  ['403', { kind: 'status', status: 403, code: 'AccessDenied' }],
  ['501', { kind: 'status', status: 501, code: 'NotImplemented' }],
  ['500', { kind: 'status', status: 500, code: 'InternalError' }],
  ['an HTML page', { kind: 'ok-html', apply: false }],
] as const satisfies readonly (readonly [string, FaultAction])[];

function refuse(operation: Operation, action: FaultAction, key?: string): void {
  rig.service.faults.add({ operation, times: Infinity, action, ...(key === undefined ? {} : { key }) });
}

describe.each(refusals)('if HEAD is answered by %s,', (_what, action) => {
  test('a multipart upload completes without a list of parts', async () => {
    const bytes = bytesOf(3 * smallestPart + 5, 3);
    refuse('ListParts', action);
    const job = await rig.settle(await rig.upload([rig.file('large', bytes)]));
    expect(job).toMatchObject({ state: 'done', items: { done: 1 } });
    expect((await rig.object('large'))?.equals(bytes)).toBe(true);
  });

  test('a multipart upload completes without a list of uploads', async () => {
    const bytes = bytesOf(3 * smallestPart + 5, 4);
    refuse('ListMultipartUploads', action);
    const job = await rig.settle(await rig.upload([rig.file('large', bytes)]));
    expect(job).toMatchObject({ state: 'done', items: { done: 1 } });
    expect((await rig.object('large'))?.equals(bytes)).toBe(true);
  });

  test('a deletion of chosen keys ends without a listing', async () => {
    for (const key of ['a/1', 'a/2']) await rig.put(key, Buffer.from(key));
    refuse('ListObjectsV2', action);
    const { jobId } = rig.operations.delete(
      { connectionId: 'c', bucket: rig.bucket },
      [
        { kind: 'key', key: 'a/1' },
        { kind: 'key', key: 'a/2' },
      ],
      'markers',
    );
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 2 } });
    rig.service.faults.clear();
    expect(await rig.keys()).toEqual([]);
  });

  test('a sync deletes as planned without HEAD, and leaves what has changed since', async () => {
    for (const key of ['p/changed', 'p/gone', 'p/old']) await rig.put(key, Buffer.from(key));
    const plan = await makePlan(rig, 'up', rig.sendDir, 'p/');
    expect(plan.changes).toEqual(['delete changed', 'delete gone', 'delete old']);
    await rig.put('p/changed', Buffer.from('changed since'));
    await rig.client.deleteObject({ bucket: rig.bucket, key: 'p/gone' });
    refuse('HeadObject', action);
    const jobId = await runPlan(rig, plan, true);
    rig.service.faults.clear();
    expect(rig.items(jobId ?? '').map(({ key, state, note }) => [key, state, note])).toEqual([
      ['p/changed', 'skipped', 'changed-since'],
      ['p/gone', 'done', 'removed'],
      ['p/old', 'done', 'removed'],
    ]);
    expect(await rig.keys()).toEqual(['p/changed']);
  });

  test('a large object is downloaded without HEAD', async () => {
    const bytes = bytesOf(3 * pieceBytes + 7, 5);
    await rig.put('large', bytes);
    refuse('HeadObject', action, 'large');
    const job = await rig.settle(await rig.download([{ kind: 'key', key: 'large' }]));
    expect(job).toMatchObject({ state: 'done', items: { done: 1 } });
    expect(readFileSync(path.join(rig.fetchDir, 'large')).equals(bytes)).toBe(true);
  });
});
