import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/core/uploads-rig.ts';

/** Tests the stored records of parts whose columns were damaged on the disk. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

afterEach(async () => {
  await rig.reset();
});

function change(sql: string): void {
  const database = new DatabaseSync(path.join(rig.dir, 'cooper.db'), { timeout: 5000 });
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

const bytes = bytesOf(6 * smallestPart + 5, 1);

/** Uploads a file until its last part is refused, damages its parts in the database, and retries. */
async function retriedAfter(damage: string): Promise<readonly object[]> {
  const refusal = rig.service.faults.add({
    operation: 'UploadPart',
    partNumber: 4,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  const job = await rig.settle(await rig.upload([rig.file('a.bin', bytes)]));
  expect(rig.items(job.id)).toMatchObject([{ state: 'failed', error: { code: 'access-denied' } }]);
  refusal.remove();
  change(damage);
  await rig.restart();
  rig.transfers.retryFailed(job.id);
  await rig.settle(job.id);
  return rig.items(job.id);
}

test.each([
  ['an offset', `UPDATE job_parts SET offset_bytes = offset_bytes - 4096 WHERE part_number = 4`],
  ['a size', `UPDATE job_parts SET size_bytes = size_bytes - 1 WHERE part_number = 4`],
  ['a part number', `DELETE FROM job_parts WHERE part_number = 4`],
  ['a state', `UPDATE job_parts SET state = 'semt' WHERE part_number = 1`],
  ['checksums', `UPDATE job_parts SET checksums = '{"crc64nvme":' WHERE part_number = 1`],
])('an upload whose records lost %s stops with that reason, and stores no object', async (_what, damage) => {
  expect(await retriedAfter(damage)).toMatchObject([
    { state: 'failed', error: { reason: 'record-damaged' } },
  ]);
  expect(await rig.object('a.bin')).toBeNull();
});

test.each([
  ['an ETag', `UPDATE job_parts SET etag = '"x"' WHERE part_number = 1`],
  ['an MD5', `UPDATE job_parts SET md5 = 'x' WHERE part_number = 1`],
  ['the state of a missing part', `UPDATE job_parts SET state = 'sent' WHERE part_number = 4`],
  ['the state of a stored part', `UPDATE job_parts SET state = 'todo' WHERE part_number = 1`],
])('an upload whose records have another value for %s completes the right object', async (_what, damage) => {
  expect(await retriedAfter(damage)).toMatchObject([{ state: 'done' }]);
  expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
});
