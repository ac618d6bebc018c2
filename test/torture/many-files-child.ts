import { statSync } from 'node:fs';
import path from 'node:path';
import { isResting } from '../../electron/core/jobs/job.ts';
import { nodeClock } from '../../electron/host/node-ports.ts';
import { beginTransfer, startEngine } from '../support/core/engine.ts';
import { memoryMiB } from '../support/memory.ts';
import type { ManyInput, ManyNews } from './many-files.ts';

/** Runs the core in a separate process, so that many-files.ts can measure it. Uploads the tree, or downloads it. */
process.once('message', (input: ManyInput) => {
  void work(input);
});

async function work(input: ManyInput): Promise<void> {
  const engine = startEngine(input);
  const jobId = await beginTransfer(engine, input);
  let longestTaskMs = 0;
  for (;;) {
    const job = engine.uploads.jobs.job(jobId);
    if (job === null) throw new Error('The job is lost.');
    const isOver = isResting(job.state);
    const { user, system } = process.cpuUsage();
    const news: ManyNews = {
      state: job.state,
      reason: job.reason,
      items: job.items ?? null,
      isOver,
      rssMiB: memoryMiB('VmRSS'),
      peakMiB: memoryMiB('VmHWM'),
      databaseBytes: sizeOf(input.folder),
      cpuSeconds: (user + system) / 1e6,
      longestTaskMs,
    };
    process.send?.(news);
    if (isOver) break;
    const before = performance.now();
    await nodeClock.sleep(250);
    longestTaskMs = Math.max(longestTaskMs, performance.now() - before - 250);
  }
  await engine.close();
  process.disconnect();
}

function sizeOf(folder: string): number {
  return ['cooper.db', 'cooper.db-wal']
    .map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
