import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createQueue } from '../../../electron/core/queue.ts';
import { StalledUploads } from '../../../electron/core/stalled/stalled-uploads.ts';
import { openDatabase } from '../../../electron/core/store/database.ts';
import type { JobFilter, JobState } from '../../../shared/models/jobs.ts';
import { silentLogger } from '../../support/servers/s3-client.ts';
import { benchClock, benchRandom } from '../support/bench-clock.ts';
import type { Figure } from '../report.ts';

const jobCount = 50_000;
/** How long a request for many jobs may block the core, and so other calls of the window, in milliseconds. */
const longestStretchMs = 50;

/** A client that never arrives, so that no job starts its work and only the queue is measured. */
const clientOf = (): Promise<never> => new Promise(() => undefined);
const all = (states: JobState[]): JobFilter => ({ states, connectionId: null });

/** Measures creating, pausing, retrying, cancelling and clearing 50,000 jobs: the time, and how long the core was blocked. */
export async function uploadsBulkBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-'));
  const { database } = openDatabase(path.join(folder, 'cooper.db'), { nowMs: Date.now() });
  const clock = benchClock;
  const random = benchRandom;
  const queue = createQueue({ database, clock, random, logger: silentLogger, clientOf });
  const uploads = new StalledUploads({
    ...queue,
    clock,
    random,
    clientOf,
    bucketsOf: () => Promise.resolve({ buckets: [], error: null }),
    startOf: () => null,
    equalPartSizes: () => false,
    realPathOf: (handle) => Promise.resolve(handle),
    handleFor: (filePath) => filePath,
  });
  const { jobs } = queue;
  const figures: Figure[] = [];
  // Watches the jobs as an open window does.
  const watching = new AbortController();
  const watch = (async () => {
    for await (const event of jobs.changes.watch(watching.signal)) JSON.stringify(event);
  })();
  const measure = async (name: string, work: () => Promise<number>, limitMs?: number): Promise<void> => {
    await setTimeout(300);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await setTimeout(20);
    delay.reset();
    const startedMs = performance.now();
    const count = await work();
    const seconds = (performance.now() - startedMs) / 1000;
    await setTimeout(20);
    delay.disable();
    if (count !== jobCount) throw new Error(`${name}: ${String(count)} of ${String(jobCount)} jobs.`);
    figures.push(
      {
        name: `50,000 jobs: ${name}`,
        value: seconds,
        unit: 's',
        ...(limitMs === undefined ? {} : { limit: { kind: 'at-most', value: limitMs / 1000 } }),
      },
      {
        name: `50,000 jobs: ${name}, longest busy stretch`,
        value: delay.max / 1e6,
        unit: 'ms',
        limit: { kind: 'at-most', value: longestStretchMs },
      },
    );
  };
  const refs = Array.from({ length: jobCount }, (_, index) => ({
    connectionId: 'c',
    bucket: 'b',
    key: `folder/file-${String(index)}.bin`,
    uploadId: `u${String(index)}`,
  }));
  try {
    queue.start();
    await measure('made', async () => (await uploads.abort(refs)).jobIds.length, 5000);
    await measure('paused', () =>
      jobs.sendMany(null, all(['waiting', 'preparing', 'aborting']), { kind: 'pause' }),
    );
    await measure('resumed', () => jobs.sendMany(null, all(['paused']), { kind: 'resume' }));
    await measure('cancelled', () =>
      jobs.sendMany(null, all(['waiting', 'preparing', 'aborting', 'paused']), { kind: 'cancel' }),
    );
    await measure('cleared', () => jobs.clear(null));
  } finally {
    watching.abort();
    await watch;
    // Not awaited, because running jobs wait for a client that never arrives.
    void queue.jobs.stop();
    await queue.hasher.close();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
