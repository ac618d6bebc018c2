import { expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const sentParts = 2;
const sentBytes = sentParts * 128 * KiB;

/** Lets the first parts be stored. The requests of later parts hang until they are aborted. */
function hangBehindFirstParts(client: S3Client): S3Client {
  return {
    ...client,
    uploadPart: async (input, options) => {
      if (input.partNumber > sentParts)
        await new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        });
      return await client.uploadPart(input, options);
    },
  };
}

/** Starts an upload and waits until its first parts are stored. Returns its job's id. */
async function begunUpload(): Promise<string> {
  await rig.reset();
  rig.wrapClient = hangBehindFirstParts;
  await rig.restart();
  const jobId = await rig.upload([rig.file('large.bin', bytesOf(300 * KiB, 1))]);
  await expect.poll(async () => await storedBytes(), { timeout: 10_000 }).toBe(sentBytes);
  // The job's count includes bytes in flight. The persisted count has only parts whose responses arrived.
  await expect.poll(() => rig.transfers.storedParts(jobId).sizeBytes, { timeout: 10_000 }).toBe(sentBytes);
  return jobId;
}

async function storedBytes(): Promise<number> {
  const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
  const [first] = uploads;
  if (first === undefined) return 0;
  const { parts } = await rig.client.listParts({ bucket: rig.bucket, ...first });
  return parts.reduce((sum, part) => sum + part.sizeBytes, 0);
}

async function afterStopping(jobId: string, kind: 'pause' | 'cancel'): Promise<Job | null> {
  rig.uploads.jobs.send(jobId, { kind });
  await rig.uploads.jobs.idle();
  return rig.uploads.jobs.job(jobId);
}

test('a paused upload counts its stored parts, also after a restart, and logs them', async () => {
  const jobId = await begunUpload();
  const paused = await afterStopping(jobId, 'pause');
  expect(paused).toMatchObject({ state: 'paused', bytesDone: sentBytes });
  expect(rig.uploads.jobs.attempts(jobId, null, 100)).toContainEqual(
    expect.objectContaining({ request: 'upload-part', note: `${sentParts} parts sent` }),
  );
  await rig.restart();
  expect(rig.uploads.jobs.job(jobId)).toMatchObject({ bytesDone: sentBytes });
});

test('a resumed upload continues at its progress and counts each byte once', async () => {
  const jobId = await begunUpload();
  await afterStopping(jobId, 'pause');
  rig.wrapClient = (client) => client;
  await rig.restart();
  const seen: number[] = [];
  const changes = setInterval(() => seen.push(rig.uploads.jobs.job(jobId)?.bytesDone ?? 0), 1);
  rig.uploads.jobs.send(jobId, { kind: 'resume' });
  const done = await rig.settle(jobId);
  clearInterval(changes);
  expect(done).toMatchObject({ state: 'done', bytesDone: 300 * KiB });
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(sentBytes);
  expect(Math.max(...seen)).toBeLessThanOrEqual(300 * KiB);
});

test('a cancelled upload still counts the parts left on the service', async () => {
  const jobId = await begunUpload();
  expect(await afterStopping(jobId, 'cancel')).toMatchObject({ state: 'cancelled', bytesDone: sentBytes });
});

test('a cancelled upload keeps its parts unless the user deletes them', async () => {
  const kept = await begunUpload();
  expect(rig.transfers.storedParts(kept)).toEqual({ uploads: 1, sizeBytes: sentBytes });
  await afterStopping(kept, 'cancel');
  expect(await storedBytes()).toBe(sentBytes);
  const deleted = await begunUpload();
  expect(await rig.transfers.cancelAndDeleteParts(deleted)).toEqual({ kept: 0 });
  await rig.uploads.jobs.idle();
  expect(rig.uploads.jobs.job(deleted)).toMatchObject({ state: 'cancelled' });
  expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
});

test('a paused copy in parts counts its stored parts, also after a restart', async () => {
  await rig.reset();
  await rig.put('in/large.bin', bytesOf(4 * copyBytes, 5));
  let asked = 0;
  rig.wrapClient = (client) => ({
    ...client,
    uploadPartCopy: async (input, options) => {
      asked += 1;
      if (asked > sentParts)
        await new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        });
      return await client.uploadPartCopy(input, options);
    },
  });
  await rig.restart();
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: 'in/' },
    items: [{ kind: 'key', key: 'in/large.bin' }],
    to: { connectionId: 'c', bucket: rig.bucket, prefix: 'out/' },
    options: { onConflict: 'ask', isMove: false },
  });
  const id = jobId ?? '';
  const bytesDone = sentParts * copyBytes;
  await expect.poll(() => rig.uploads.jobs.job(id)?.bytesDone, { timeout: 10_000 }).toBe(bytesDone);
  expect(await afterStopping(id, 'pause')).toMatchObject({ state: 'paused', bytesDone });
  rig.wrapClient = (client) => client;
  await rig.restart();
  expect(rig.uploads.jobs.job(id)).toMatchObject({ bytesDone });
  rig.uploads.jobs.send(id, { kind: 'resume' });
  expect(await rig.settle(id)).toMatchObject({ state: 'done', bytesDone: 4 * copyBytes });
});
