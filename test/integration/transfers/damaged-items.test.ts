import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';

/** Tests jobs whose items were damaged on disk while Cooper was closed. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
afterEach(async () => {
  await rig.reset();
});

const keys = ['a', 'b', 'c', 'd'];

function change(sql: string): void {
  const database = new DatabaseSync(path.join(rig.dir, 'cooper.db'), { timeout: 5000 });
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

function asideOf(jobId: string): unknown[] {
  const database = new DatabaseSync(path.join(rig.dir, 'cooper.db'), { timeout: 5000 });
  try {
    return database
      .prepare(`SELECT record_id, record FROM set_aside WHERE record_id LIKE ? || '/%'`)
      .all(jobId);
  } finally {
    database.close();
  }
}

/** Returns the item's record as it was set aside; null if only a column was damaged. */
function recordOf([first]: readonly unknown[]): unknown {
  return typeof first === 'object' && first !== null && 'record' in first ? first.record : null;
}

const damages = [
  ['record is not JSON', `data = '{"work":"deletion","key":"b"'`, '{"work":"deletion","key":"b"'],
  ['state differs from its record', `state = 'done'`, null],
  ['state is unknown', `state = 'xyz'`, null],
  ['record has no key', `data = json_remove(data, '$.key')`, null],
  ['note differs from its record', `note = 'removed'`, null],
] as const;

test.each(damages)(
  'an item whose %s is set aside as failed, and the others are deleted',
  async (_what, sql, record) => {
    for (const key of keys) await rig.put(key, Buffer.from(key));
    const refused = rig.service.faults.add({
      operation: ['DeleteObjects', 'DeleteObject'],
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const { jobId } = rig.operations.delete(
      { connectionId: 'c', bucket: rig.bucket },
      keys.map((key) => ({ kind: 'key', key })),
      'markers',
    );
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
    refused.remove();
    change(`UPDATE transfer_items SET ${sql} WHERE job_id = '${jobId}' AND seq = 1`);
    await rig.restart();
    rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
    const job = await rig.settle(jobId);
    expect(job).toMatchObject({ state: 'needs-attention', items: { total: 4, done: 3, failed: 1 } });
    expect(await rig.keys()).toEqual(['b']);
    expect(rig.items(jobId).find(({ state }) => state === 'failed')).toMatchObject({
      seq: 1,
      error: { reason: 'record-damaged' },
    });
    const aside = asideOf(jobId);
    expect(aside).toEqual([{ record_id: `${jobId}/1`, record: record ?? recordOf(aside) }]);
    // A retry does not change the damaged item either.
    rig.uploads.jobs.send(jobId, { kind: 'retry-now' });
    expect(await rig.settle(jobId)).toMatchObject({ items: { total: 4, done: 3, failed: 1 } });
    expect(await rig.keys()).toEqual(['b']);
  },
);
