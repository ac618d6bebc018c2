import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isResting } from '../../electron/core/jobs/job.ts';
import type { RequestLogSink } from '../../electron/core/s3/model/request-types.ts';
import { nodeClock } from '../../electron/host/node-ports.ts';
import type { Job } from '../../shared/models/jobs.ts';
import { startEngine, type Engine } from '../support/core/engine.ts';
import { memoryMiB } from '../support/memory.ts';
import type { BenchServer } from './transfers-servers.ts';

export interface MeasuredJob {
  readonly job: Job;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

/** Runs one job of the program's queue to its end, in this process, with a database in a folder of its own. Throws unless it is done. */
export async function measuredJob(
  input: { readonly folder: string; readonly server: Pick<BenchServer, 'endpoint' | 'keys'> },
  begin: (engine: Engine) => string | Promise<string>,
  requestLog: RequestLogSink = () => undefined,
): Promise<MeasuredJob> {
  const folder = mkdtempSync(path.join(input.folder, 'cooper-'));
  const { endpoint, keys } = input.server;
  const engine = startEngine({ folder, service: { endpoint, region: 'us-east-1', ...keys }, requestLog });
  const started = performance.now();
  const before = process.cpuUsage();
  const job = await rested(engine, await begin(engine));
  const seconds = (performance.now() - started) / 1000;
  // As with the time: the program is open already.
  const { user, system } = process.cpuUsage(before);
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
  return { job, seconds, cpuSeconds: (user + system) / 1e6, peakMiB: memoryMiB('VmHWM') };
}

async function rested({ uploads }: Engine, jobId: string): Promise<Job> {
  for (;;) {
    const job = uploads.jobs.job(jobId);
    if (job !== null && isResting(job.state)) {
      if (job.state !== 'done') throw new Error(JSON.stringify(job));
      return job;
    }
    await nodeClock.sleep(20);
  }
}
