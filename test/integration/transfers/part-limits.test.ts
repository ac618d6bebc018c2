import { expect, test } from 'vitest';
import { memoryRefusals } from '../../../electron/core/s3/model/service-memory.ts';
import { PartLimits } from '../../../electron/core/s3/model/part-limits.ts';
import type { FaultRule } from '../../support/lab-service/faults.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/core/uploads-rig.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const large = bytesOf(7 * smallestPart + 3, 2);
const lengthOf = (headers: ReadonlyMap<string, string>): number => Number(headers.get('content-length') ?? 0);

const tooManyParts: FaultRule = {
  operation: ['UploadPart', 'UploadPartCopy'],
  when: ({ partNumber }) => (partNumber ?? 0) > 3,
  times: Infinity,
  action: {
    kind: 'status',
    status: 400,
    code: 'InvalidArgument',
    message: 'Part number must be an integer between 1 and 3, inclusive',
  },
};
const tooLarge: FaultRule = {
  operation: ['UploadPart', 'PutObject'],
  when: ({ headers }) => lengthOf(headers) > smallestPart,
  times: Infinity,
  action: { kind: 'status', status: 413, code: 'EntityTooLarge' },
};

/** Restarts the program with a client that knows no limits. */
async function fresh(): Promise<void> {
  Object.assign(rig.client.partLimits, new PartLimits({ nowMs: () => 0 }, memoryRefusals()));
  await rig.restart();
}

/** Settles a job, retries what failed, and returns the reasons of each attempt. */
async function attempts(jobId: string | null): Promise<readonly (readonly (string | undefined)[])[]> {
  if (jobId === null) throw new Error('There was nothing to do.');
  const reasons: (string | undefined)[][] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await rig.settle(jobId);
    const failed = rig.items(jobId).flatMap((item) => (item.error === null ? [] : [item.error.reason]));
    if (failed.length === 0) return reasons;
    reasons.push(failed);
    rig.transfers.retryFailed(jobId);
  }
  return reasons;
}

test('an upload with more parts than the service allows starts again with larger ones on retry', async () => {
  await rig.reset();
  await fresh();
  rig.service.faults.add(tooManyParts);
  expect(await attempts(await rig.upload([rig.file('large', large)]))).toEqual([['too-many-parts']]);
  expect(await rig.object('large')).toEqual(large);
});

test('an upload with parts larger than a proxy takes starts again with smaller ones on retry', async () => {
  await rig.reset();
  await fresh();
  rig.service.faults.add(tooLarge);
  const options = { partSizeBytes: 4 * smallestPart };
  expect(await attempts(await rig.upload([rig.file('large', large)], options))).toEqual([['part-too-large']]);
  expect(await rig.object('large')).toEqual(large);
});

test('a file that is too large for one request goes in parts on retry', async () => {
  await rig.reset();
  await fresh();
  rig.service.faults.add(tooLarge);
  const options = { multipartFromBytes: 20 * smallestPart };
  expect(await attempts(await rig.upload([rig.file('large', large)], options))).toEqual([['too-large']]);
  expect(await rig.object('large')).toEqual(large);
});

test('a copy with more parts than the service allows starts again with larger ones on retry', async () => {
  await rig.reset();
  await rig.put('large', large);
  await fresh();
  rig.service.faults.add(tooManyParts);
  const items: readonly SelectionItem[] = [{ kind: 'key', key: 'large' }];
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
    items: [...items],
    to: { connectionId: 'other', bucket: rig.otherBucket, prefix: '' },
    options: { onConflict: 'ask', isMove: false },
  });
  expect(await attempts(jobId)).toEqual([['too-many-parts']]);
  expect(await rig.object('large', rig.otherBucket)).toEqual(large);
});
