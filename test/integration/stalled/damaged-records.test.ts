import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../shared/models/jobs.ts';
import { bytesOf, Rig, smallestPart } from '../../support/core/uploads-rig.ts';

/** Tests the stored parts and part lists of jobs that complete stalled uploads, whose columns were damaged on the disk. */
let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start();
});
afterEach(async () => {
  await rig.close();
});

const key = 'film.bin';
const bytes = bytesOf(smallestPart * 4 + 5, 1);

/** Resumes an upload until the service refuses `operation`, damages the database, and retries. */
async function retriedAfter(
  operation: 'UploadPart' | 'CompleteMultipartUpload',
  damage: string,
): Promise<Job> {
  const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: [1, 2] });
  const refusal = rig.faults.add({
    operation,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const job = await rig.settle(await rig.resume(ref, rig.file('film.bin', bytes)));
  expect(job).toMatchObject({ state: 'needs-attention', reason: 'access-denied' });
  refusal.remove();
  rig.database.exec(damage);
  await rig.restart();
  rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
  return await rig.settle(job.id);
}

test.each([
  ['an offset', `UPDATE job_parts SET offset_bytes = offset_bytes - 4096 WHERE part_number = 4`],
  ['a size', `UPDATE job_parts SET size_bytes = size_bytes - 1 WHERE part_number = 4`],
  ['a part number', `DELETE FROM job_parts WHERE part_number = 4`],
  ['a state', `UPDATE job_parts SET state = 'semt' WHERE part_number = 1`],
  ['checksums', `UPDATE job_parts SET checksums = '{"crc64nvme":' WHERE part_number = 1`],
])(
  'a resumed upload whose records lost %s stops with that reason, and stores no object',
  async (_what, damage) => {
    expect(await retriedAfter('UploadPart', damage)).toMatchObject({
      state: 'needs-attention',
      reason: 'record-damaged',
    });
    expect(await rig.object(key)).toBeNull();
  },
);

test.each([
  ['cut off', `UPDATE job_intents SET parts = substr(parts, 1, 20)`],
  ['of another shape', `UPDATE job_intents SET parts = '[{"partNumber":"one"}]'`],
  ['not a text', `UPDATE job_intents SET parts = 7`],
])('a part list that is %s is not sent, and a retry lists the parts again', async (_what, damage) => {
  const { parts } = rig.queue.uploadDriver;
  parts.putIntent('job', [{ partNumber: 1, etag: '"a"' }]);
  rig.database.exec(damage);
  expect(() => parts.intent('job')).toThrow(
    expect.objectContaining({ error: expect.objectContaining({ reason: 'record-damaged' }) }),
  );

  expect(await retriedAfter('CompleteMultipartUpload', damage)).toMatchObject({ state: 'done' });
  expect((await rig.object(key))?.equals(bytes)).toBe(true);
});
