import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWalks, type Walks } from '../../../electron/core/walks/walks.ts';
import { everyObject, type WalkQuery } from '../../../shared/models/walks.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { TransferRig } from '../../support/core/transfers-rig.ts';

const jpegs: WalkQuery = {
  ...everyObject,
  name: { kind: 'glob', text: '*.jpg', caseSensitive: false, in: 'name' },
};

let rig: TransferRig;
let walks: Walks;
beforeAll(async () => {
  rig = await TransferRig.start({ walks: () => walks.source });
  walks = createWalks({
    ports: {
      ...fakePorts(),
      clock: {
        nowMs: () => Date.now(),
        monotonicMs: () => performance.now(),
        sleep: () => new Promise((resolve) => setImmediate(resolve)),
      },
    },
    dataDir: path.join(rig.dir, 'searches'),
    client: () => Promise.resolve(rig.client),
    startOf: () => null,
  });
});
afterAll(async () => {
  await walks.close();
  await rig.close();
});
beforeEach(async () => {
  await rig.reset();
});

async function found(bucket: string, prefix: string): Promise<string> {
  const walkId = walks.start({ connectionId: 'c', bucket, prefix, query: jpegs });
  let last = '';
  for await (const { state } of walks.watch(walkId, new AbortController().signal)) last = state;
  expect(last).toBe('done');
  return walkId;
}

test('all results of a search are downloaded to their relative locations, and nothing else', async () => {
  const wanted = ['p/a.jpg', 'p/b/c.JPG', 'p/b/d/e.jpg'];
  for (const key of [...wanted, 'p/a.txt', 'p/b/jpg', 'q/a.jpg']) await rig.put(key, Buffer.from(key));
  const walkId = await found(rig.bucket, 'p/');
  const job = await rig.settle(await rig.download([{ kind: 'walk', walkId }], 'ask', 'p/'));
  expect(job.state).toBe('done');
  for (const key of wanted) expect(readFileSync(path.join(rig.fetchDir, key.slice(2)), 'utf8')).toBe(key);
  for (const name of ['a.txt', 'b/jpg']) expect(existsSync(path.join(rig.fetchDir, name))).toBe(false);
  expect(rig.items(job.id).map(({ key }) => key)).toEqual(wanted);
});

test('search results of another bucket are never taken for keys of this one', async () => {
  await rig.put('a.jpg', Buffer.from('here'));
  const walkId = await found(rig.otherBucket, '');
  const download = await rig.settle(await rig.download([{ kind: 'walk', walkId }]));
  expect(download.state).not.toBe('done');
  const place = { connectionId: 'c', bucket: rig.bucket };
  const { jobId } = rig.operations.delete(place, [{ kind: 'walk', walkId }], 'markers');
  expect((await rig.settle(jobId)).state).not.toBe('done');
  expect((await rig.client.headObject({ bucket: rig.bucket, key: 'a.jpg' })).sizeBytes).toBe(4);
});

test('a download of a closed search fails with walk-gone and writes nothing', async () => {
  await rig.put('a.jpg', Buffer.from('here'));
  const walkId = await found(rig.bucket, '');
  await walks.closeWalk(walkId);
  const job = await rig.settle(await rig.download([{ kind: 'walk', walkId }]));
  expect(job.state).toBe('needs-attention');
  expect(job.error?.reason).toBe('walk-gone');
  expect(existsSync(path.join(rig.fetchDir, 'a.jpg'))).toBe(false);
});
