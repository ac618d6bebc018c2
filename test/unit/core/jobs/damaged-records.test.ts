import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JobStore } from '../../../../electron/core/jobs/job-store.ts';
import { abortJob } from '../../../../electron/core/multipart/new-jobs.ts';
import type { UploadJob } from '../../../../electron/core/multipart/upload-job.ts';
import { createQueue, type Queue } from '../../../../electron/core/queue.ts';
import { openDatabase } from '../../../../electron/core/store/database.ts';
import { sweepOrphans } from '../../../../electron/core/transfers/items/damaged-items.ts';
import { ItemStore } from '../../../../electron/core/transfers/items/item-store.ts';
import { newDeletionItem } from '../../../../electron/core/transfers/items/transfer-item.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';
import { silentLogger } from '../../../support/servers/s3-client.ts';

let dir: string;
let database: DatabaseSync;
let queue: Queue;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-damaged-'));
  database = openDatabase(path.join(dir, 'cooper.db'), { nowMs: 0 }).database;
  make();
});
afterEach(async () => {
  await queue.close();
  database.close();
  rmSync(dir, { recursive: true });
});

function make(): void {
  queue = createQueue({
    database,
    clock: manualClock(),
    random: { fraction: () => 0.5, id: () => 'id' },
    logger: silentLogger,
    clientOf: () => Promise.reject(new Error('no client')),
  });
}

function submit(id: string): void {
  const ref = { connectionId: 'c', bucket: 'b', key: 'k', uploadId: id };
  const job = abortJob({ id, nowMs: 0, ref, quietUntilMs: 0 });
  const paused: UploadJob = { ...job, state: 'paused', reason: 'by-user' };
  queue.store.insert(paused);
}

test('a record with any damaged number or string does not keep the other jobs from being listed', async () => {
  submit('kept');
  submit('damaged');
  const whole = JSON.parse(queue.store.load('damaged')?.data ?? '') as Record<string, unknown>;
  const damage = fc.oneof(fc.double(), fc.constantFrom(1e300, -1, null, '', 'x', [], {}, true), fc.string());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(whole)), damage, async (field, value) => {
      database.exec('DELETE FROM job_broken');
      const data = JSON.stringify({ ...whole, [field]: value });
      database.prepare(`UPDATE jobs SET data = ? WHERE id = 'damaged'`).run(data);
      const { jobs } = await queue.jobs.list({ states: null, connectionId: null }, 0, 10);
      expect(jobs.map(({ id }) => id)).toContain('kept');
      if (jobs.length === 2) return;
      expect(database.prepare('SELECT data FROM job_broken').get()).toEqual({ data });
      submit('damaged');
    }),
    { numRuns: 300 },
  );
});

test('the records of all jobs are read at most once for items without a job, however many', () => {
  const reads = { count: 0 };
  const store = new JobStore(database);
  const items = new ItemStore(store);
  for (let at = 0; at < 20; at += 1) submit(`job-${String(at)}`);
  for (let at = 0; at < 50; at += 1)
    items.put(`gone-${String(at)}`, newDeletionItem({ seq: 0, key: 'k', kind: 'file', sizeBytes: 1 }));
  database.function('instr', { deterministic: true }, (text, part) => {
    reads.count += 1;
    return String(text).indexOf(String(part)) + 1;
  });
  sweepOrphans(store, items);
  expect(items.count('gone-0') + items.count('gone-49')).toBe(0);
  expect(reads.count).toBe(20);
  sweepOrphans(store, items);
  expect(reads.count).toBe(20);
});

test('the items of a job with a damaged row are kept with its record', async () => {
  const store = new JobStore(database);
  const items = new ItemStore(store);
  submit('job-1');
  submit('job-2');
  for (const id of ['job-1', 'job-2', 'never-begun'])
    items.put(id, newDeletionItem({ seq: 0, key: 'k', kind: 'file', sizeBytes: 1 }));
  database.exec(`UPDATE jobs SET id = 'x' WHERE id = 'job-1'; UPDATE jobs SET data = 'x' WHERE id = 'job-2'`);
  sweepOrphans(store, items);
  expect(['job-1', 'job-2', 'never-begun'].map((id) => items.count(id))).toEqual([1, 1, 0]);
  expect((await queue.jobs.list({ states: null, connectionId: null }, 0, 10)).jobs).toEqual([]);
  sweepOrphans(store, items);
  expect(['job-1', 'job-2'].map((id) => items.count(id))).toEqual([1, 1]);
});
