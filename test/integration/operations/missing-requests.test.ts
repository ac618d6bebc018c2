import { afterEach, describe, expect, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

/** Copies and moves on services that lack a request, or refuse HEAD for a key. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

function copy(isMove: boolean, connectionId: string): string {
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: 'a/' },
    items: [{ kind: 'prefix', prefix: 'a/' }],
    to: { connectionId, bucket: rig.otherBucket, prefix: 'b/' },
    options: { onConflict: 'ask', isMove },
  });
  return jobId ?? '';
}

const files = [bytesOf(0, 1), bytesOf(5 * KiB, 2), bytesOf(3 * copyBytes + 5, 3)];

async function putFiles(): Promise<void> {
  for (const [index, bytes] of files.entries()) await rig.put(`a/${index}`, bytes);
}

/** Returns, for each file, true if it is at its target byte for byte. */
async function moved(jobId: string): Promise<readonly boolean[]> {
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
  rig.service.faults.clear();
  expect(await rig.keys()).toEqual([]);
  const found = await Promise.all(
    files.map(async (_bytes, index) => await rig.object(`b/${index}`, rig.otherBucket)),
  );
  return files.map((bytes, index) => found[index]?.equals(bytes) === true);
}

describe.each([['c'], ['other']])('moving to the connection "%s"', (to) => {
  test('succeeds if HEAD of a missing target is answered with 403', async () => {
    await putFiles();
    await rig.restart();
    rig.service.faults.add({
      operation: 'HeadObject',
      bucket: rig.otherBucket,
      times: files.length,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    expect(await moved(copy(true, to))).toEqual([true, true, true]);
  });

  test.each([
    [501, 'NotImplemented'],
    [405, 'MethodNotAllowed'],
  ])('succeeds if HEAD is answered with %i', async (status, code) => {
    await putFiles();
    await rig.restart();
    rig.service.faults.add({
      operation: 'HeadObject',
      times: Infinity,
      action: { kind: 'status', status, code },
    });
    expect(await moved(copy(true, to))).toEqual([true, true, true]);
  });
});

test('a concurrent object at a target that may not be read is not replaced', async () => {
  await rig.put('a/1', bytesOf(10, 1));
  const others = bytesOf(20, 2);
  await rig.client.putObject({
    bucket: rig.otherBucket,
    key: 'b/1',
    body: { sizeBytes: others.length, open: () => others },
  });
  await rig.restart();
  rig.service.faults.add({
    operation: 'HeadObject',
    bucket: rig.otherBucket,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  expect(await rig.settle(copy(true, 'c'))).toMatchObject({ state: 'needs-attention' });
  rig.service.faults.clear();
  expect((await rig.object('b/1', rig.otherBucket))?.equals(others)).toBe(true);
  expect((await rig.object('a/1'))?.equals(bytesOf(10, 1))).toBe(true);
});

test('moving on a service without CopyObject and UploadPartCopy goes through this computer', async () => {
  await putFiles();
  await rig.restart();
  rig.service.faults.add({
    operation: ['CopyObject', 'UploadPartCopy'],
    times: Infinity,
    action: { kind: 'status', status: 501, code: 'NotImplemented' },
  });
  const jobId = copy(true, 'c');
  expect(await moved(jobId)).toEqual([true, true, true]);
  expect(rig.items(jobId).map(({ verified }) => verified)).toEqual([true, true, true]);
});
