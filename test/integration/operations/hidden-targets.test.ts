import { afterEach, expect, test } from 'vitest';
import type { Operation } from '../../../electron/service/find-operation.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { withoutEtags } from '../../support/core/silent-etags.ts';

/** Tests moves to a bucket that answers HEAD with 403, even for existing objects. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

const files = [bytesOf(0, 1), bytesOf(5 * KiB, 2), bytesOf(3 * copyBytes + 5, 3)];

/** Stores the files and moves them while the target bucket answers these requests with 403. */
async function moved(to: string, denied: readonly Operation[]): Promise<string> {
  for (const [index, bytes] of files.entries()) await rig.put(`a/${index}`, bytes);
  await rig.restart();
  rig.service.faults.add({
    operation: denied,
    bucket: rig.otherBucket,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: 'a/' },
    items: [{ kind: 'prefix', prefix: 'a/' }],
    to: { connectionId: to, bucket: rig.otherBucket, prefix: 'b/' },
    options: { onConflict: 'ask', isMove: true },
  });
  await rig.settle(jobId ?? '');
  rig.service.faults.clear();
  return jobId ?? '';
}

async function areMoved(): Promise<readonly boolean[]> {
  expect(await rig.keys()).toEqual([]);
  const found = await Promise.all(
    files.map(async (_bytes, index) => await rig.object(`b/${index}`, rig.otherBucket)),
  );
  return files.map((bytes, index) => found[index]?.equals(bytes) === true);
}

const list = ['ListObjects', 'ListObjectsV2'] as const;

test.each<[denied: string, to: string, operations: readonly Operation[]]>([
  ['HEAD', 'c', ['HeadObject']],
  ['HEAD', 'other', ['HeadObject']],
  ['HEAD and listings', 'c', ['HeadObject', ...list]],
  ['HEAD and listings', 'other', ['HeadObject', ...list]],
  ['HEAD and GET', 'c', ['HeadObject', 'GetObject']],
  ['HEAD and GET', 'other', ['HeadObject', 'GetObject']],
  ['HEAD, GET and listings', 'other', ['HeadObject', 'GetObject', ...list]],
])(
  'a move whose target refuses %s is proved in another way (connection "%s")',
  async (_denied, to, operations) => {
    await moved(to, operations);
    expect(await areMoved()).toEqual([true, true, true]);
  },
);

test.each(['c', 'other'])(
  'a move of many objects to "%s" succeeds although the target refuses HEAD and GET',
  async (to) => {
    rig.togetherFrom = 1;
    await moved(to, ['HeadObject', 'GetObject']);
    expect(await areMoved()).toEqual([true, true, true]);
  },
);

test('a copy in parts by the service keeps its source if the target cannot be seen in any way', async () => {
  const jobId = await moved('c', ['HeadObject', 'GetObject', ...list]);
  // The response to CopyObject names the ETag of the source. The ETag of a copy in parts has another form.
  expect(rig.items(jobId).map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
  expect(rig.items(jobId)[2]).toMatchObject({ error: { reason: 'copy-unverified' } });
  expect(await rig.keys()).toEqual(['a/2']);
});

test('a move keeps each source if no response names an ETag and the target cannot be read', async () => {
  rig.wrapClient = withoutEtags;
  const jobId = await moved('other', ['HeadObject', 'GetObject']);
  expect(rig.items(jobId).map(({ error }) => error?.reason)).toEqual(files.map(() => 'copy-unverified'));
  expect(await rig.keys()).toEqual(['a/0', 'a/1', 'a/2']);
});

test('a move keeps the source if a listing shows another object than the response named', async () => {
  rig.wrapClient = (client) => ({
    ...client,
    listObjects: async (input, options) => {
      const page = await client.listObjects(input, options);
      if (input.bucket !== rig.otherBucket) return page;
      return { ...page, objects: page.objects.map((object) => ({ ...object, etag: '"other"' })) };
    },
  });
  const jobId = await moved('other', ['HeadObject', 'GetObject']);
  expect(rig.items(jobId).map(({ state }) => state)).toEqual(files.map(() => 'failed'));
  expect(await rig.keys()).toEqual(['a/0', 'a/1', 'a/2']);
});
