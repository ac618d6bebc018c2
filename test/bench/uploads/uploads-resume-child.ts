import path from 'node:path';
import { isResting } from '../../../electron/core/jobs/job.ts';
import { openDatabase } from '../../../electron/core/store/database.ts';
import { createQueue } from '../../../electron/core/queue.ts';
import { StalledUploads } from '../../../electron/core/stalled/stalled-uploads.ts';
import { nodeClock, nodeRandom } from '../../../electron/host/node-ports.ts';
import { boundYoungGeneration } from '../../../electron/host/process.ts';
import { memoryMiB } from '../../support/memory.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { silentLogger } from '../../support/servers/s3-client.ts';
import { benchKeys } from '../support/bench-keys.ts';
import type { ResumeResult, ResumeRun } from './uploads-resume.ts';

/** Resumes one upload, and reports the time from the job's start and the peak memory. */
process.once('message', (input: ResumeRun) => {
  void resume(input).then((result) => process.send?.(result));
});

async function resume(input: ResumeRun): Promise<ResumeResult> {
  // Limits the young generation, as both hosts do.
  const stopBounding = boundYoungGeneration();
  const client = realClient({ endpoint: input.endpoint, keys: benchKeys });
  const shared = { clock: nodeClock, random: nodeRandom, clientOf: () => Promise.resolve(client) };
  const queue = createQueue({
    ...shared,
    database: openDatabase(path.join(input.folder, `resume-${process.pid}.db`), { nowMs: Date.now() })
      .database,
    logger: silentLogger,
  });
  const uploads = new StalledUploads({
    ...queue,
    ...shared,
    bucketsOf: () => Promise.resolve({ buckets: [], error: null }),
    startOf: () => null,
    equalPartSizes: () => false,
    realPathOf: (handle) => Promise.resolve(handle),
    handleFor: (filePath) => filePath,
  });
  queue.start();
  const ref = { connectionId: 'c', bucket: 'bench', key: 'big.bin', uploadId: input.uploadId };
  let planId = '';
  const { signal } = new AbortController();
  for await (const event of uploads.plan({ ref, fileHandle: input.file, etagsAreNotMd5: false }, signal))
    if (event.kind === 'plan') ({ planId } = event.plan);
  const started = performance.now();
  const { jobId } = uploads.resume(planId, {
    parallelParts: 4,
    bandwidthBytesPerSecond: null,
    acceptUnverified: false,
  });
  for (;;) {
    const job = uploads.jobs.job(jobId);
    if (job !== null && isResting(job.state)) {
      if (job.outcome !== 'completed') throw new Error(JSON.stringify(job));
      break;
    }
    await nodeClock.sleep(5);
  }
  const ms = performance.now() - started;
  await queue.close();
  await client.close();
  stopBounding();
  return { ms, peakRssMiB: memoryMiB('VmHWM') };
}
