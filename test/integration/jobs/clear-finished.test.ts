import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createQueue, type Queue } from '../../../electron/core/queue.ts';
import { openDatabase } from '../../../electron/core/store/database.ts';
import { partPathOf } from '../../../electron/core/transfers/downloads/download-item.ts';
import { newDeletionItem, newDownloadItem } from '../../../electron/core/transfers/items/transfer-item.ts';
import { transferJobSchema } from '../../../electron/core/transfers/items/transfer-job.ts';
import { manualClock } from '../../support/core/fake-ports.ts';
import { silentLogger } from '../../support/servers/s3-client.ts';

let dir: string;
let database: DatabaseSync;
let queue: Queue;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-clear-'));
  ({ database } = openDatabase(path.join(dir, 'cooper.db'), { nowMs: 0 }));
  queue = createQueue({
    database,
    clock: manualClock(),
    random: { fraction: () => 0.5, id: () => 'id' },
    logger: silentLogger,
    clientOf: () => Promise.reject(new Error('no client')),
  });
});
afterEach(async () => {
  await queue.close();
  database.close();
  rmSync(dir, { recursive: true });
});

/** Stores a finished transfer. */
function insert(id: string, kind: 'download' | 'delete', state: 'done' | 'cancelled'): void {
  const counts = { total: 1, done: 1, skipped: 0, failed: 0, asking: 0, bytesTotal: 0, bytesDone: 0 };
  const job = {
    id,
    kind,
    state,
    connectionId: 'c',
    lockKey: id,
    createdMs: 0,
    updatedMs: 0,
    stateSinceMs: 0,
    dueMs: null,
    run: 1,
    failures: 0,
    reason: null,
    outcome: null,
    error: null,
    bucket: 'b',
    prefix: '',
    name: id,
    sources: [],
    upload: null,
    wanted: [],
    folder: kind === 'download' ? dir : null,
    operation: null,
    cancelling: false,
    onConflict: 'ask',
    isSync: false,
    left: null,
    prepared: true,
    cursor: { index: 1, afterKey: null },
    counts: { ...counts, removed: 0, noted: 0 },
  };
  queue.store.insert(transferJobSchema.parse(job));
}

const putDeletion = (id: string, seq: number): void => {
  const item = newDeletionItem({ seq, key: `k${seq}`, kind: 'file', sizeBytes: 1 });
  queue.transferDriver.items.put(id, { ...item, state: 'done' });
};

const rowsIn = (table: string): unknown =>
  database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];

test('clearing all finished jobs leaves no row and no partial file of small, large and unsettled ones', async () => {
  database.exec('BEGIN');
  const ids = Array.from({ length: 250 }, (_, at) => `small-${at}`);
  for (const [at, id] of ids.entries()) {
    insert(id, 'delete', at % 3 === 0 ? 'cancelled' : 'done');
    putDeletion(id, 0);
    putDeletion(id, 1);
    database.prepare(`INSERT INTO job_attempts (job_id, at_ms, data) VALUES (?, 0, '{}')`).run(id);
  }
  insert('large', 'delete', 'done');
  for (let seq = 0; seq < 1000; seq += 1) putDeletion('large', seq);
  const files = (['done', 'cancelled'] as const).map((state) => {
    insert(`download-${state}`, 'download', state);
    const item = newDownloadItem({ seq: 0, key: 'k', kind: 'file', sizeBytes: 9, localName: 'k' });
    queue.transferDriver.items.put(`download-${state}`, item);
    const file = partPathOf(`download-${state}`, dir, item);
    writeFileSync(file, 'half');
    return file;
  });
  const kept = [{ id: 'unreadable', data: '{"id":"unreadable"}' }];
  insert('unreadable', 'delete', 'done');
  database.prepare(`UPDATE jobs SET data = ? WHERE id = 'unreadable'`).run(kept[0]?.data ?? '');

  database.exec('COMMIT');

  expect(await queue.jobs.clear(null)).toBe(253);
  expect(['transfer_items', 'job_attempts'].map(rowsIn)).toEqual([0, 0]);
  expect(files.filter((file) => existsSync(file))).toEqual([]);
  // A record that contradicts its row is left for the check that sets it aside.
  expect(database.prepare('SELECT id, data FROM jobs').all()).toEqual(kept);
});
