import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { JobEngine } from '../../../electron/core/jobs/engine.ts';
import { JobStore } from '../../../electron/core/jobs/job-store.ts';
import { openDatabase } from '../../../electron/core/store/database.ts';
import { UploadDriver } from '../../../electron/core/multipart/upload-driver.ts';
import { createHashPool } from '../../../electron/core/disk/hash-pool.ts';
import { completeJob } from '../../../electron/core/multipart/new-jobs.ts';
import { silentLogger } from '../../support/servers/s3-client.ts';
import { benchClock as clock, benchRandom as random } from '../support/bench-clock.ts';
import type { Figure } from '../report.ts';
import { uploadsBulkBench } from './uploads-bulk.ts';

const jobCount = 50_000;
/** Measures a queue of 50,000 jobs: opening the database up to the first page and the counts, and the bytes of one update. */
export async function uploadsQueueBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-'));
  const file = path.join(folder, 'cooper.db');
  const hasher = createHashPool();
  const open = (): { store: JobStore; engine: JobEngine; close: () => void } => {
    const { database } = openDatabase(file, { nowMs: Date.now() });
    const store = new JobStore(database);
    const driver = new UploadDriver({
      store,
      clock,
      random,
      hasher,
      // Never resolves, so that no job starts its work and only the queue is measured.
      clientOf: () => new Promise(() => undefined),
      settings: () => engine.settings,
      minPartBytes: 5 * 1024 * 1024,
    });
    const engine = new JobEngine({ store, drivers: [driver], clock, random, logger: silentLogger });
    return { store, engine, close: () => database.close() };
  };
  try {
    const first = open();
    first.store.transaction(() => {
      for (let index = 0; index < jobCount; index += 1) {
        const ref = {
          connectionId: 'c',
          bucket: 'b',
          key: `folder/file-${index}.bin`,
          uploadId: `u${index}`,
        };
        const job = completeJob(
          { fingerprint: 'f', acceptGaps: false },
          { id: `job-${index}`, nowMs: Date.now(), ref, quietUntilMs: 0 },
        );
        const state = index % 10 === 0 ? 'waiting' : 'done';
        first.store.insert({ ...job, state });
      }
    });
    first.close();

    const started = performance.now();
    const queue = open();
    queue.engine.start();
    const page = await queue.engine.list({ states: null, connectionId: null }, 0, 100);
    const counts = queue.engine.changes.counts();
    const startMs = performance.now() - started;
    if (page.jobs.length !== 100 || counts.total !== jobCount)
      throw new Error('The queue is not what it was.');

    const wal = `${file}-wal`;
    const before = statSync(wal).size;
    const updates = 200;
    const updating = performance.now();
    for (let index = 0; index < updates; index += 1)
      queue.engine.send(`job-${10_000 + index * 10}`, { kind: 'pause' });
    const updateMs = (performance.now() - updating) / updates;
    const writtenBytes = (statSync(wal).size - before) / updates;
    void queue.engine.stop();
    queue.close();
    return [
      {
        name: 'a queue of 50,000 jobs: restart to usable',
        value: startMs,
        unit: 'ms',
        limit: { kind: 'at-most', value: 1000 },
      },
      { name: 'update of one job among 50,000', value: updateMs, unit: 'ms' },
      {
        name: 'bytes written by the update of one job',
        value: writtenBytes / 1024,
        unit: 'KiB',
        // An update writes a row and three indexes: a handful of pages, whatever the length of the queue.
        limit: { kind: 'at-most', value: 64 },
      },
      ...(await uploadsBulkBench()),
    ];
  } finally {
    await hasher.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
