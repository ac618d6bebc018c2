import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isResting } from '../../../electron/core/jobs/job.ts';
import type { RequestLogSink } from '../../../electron/core/s3/model/request-types.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { boundYoungGeneration } from '../../../electron/host/process.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { startEngine, type Engine } from '../../support/core/engine.ts';
import { memoryMiB } from '../../support/memory.ts';
import type { BenchServer } from './bench-servers.ts';

export interface MeasuredJob {
  readonly job: Job;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

type Input = { readonly folder: string; readonly server: Pick<BenchServer, 'endpoint' | 'keys'> };

/** Opens the program's queue in this process, with a database in a separate folder. */
export function openQueue(input: Input, requestLog: RequestLogSink = () => undefined) {
  const stopBounding = boundYoungGeneration();
  const folder = mkdtempSync(path.join(input.folder, 'cooper-'));
  const { endpoint, keys } = input.server;
  const engine = startEngine({ folder, service: { endpoint, region: 'us-east-1', ...keys }, requestLog });
  return {
    engine,
    close: async (): Promise<void> => {
      await engine.close();
      stopBounding();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one job to its end in an open program, and returns its measurements. Throws unless the job succeeds. */
export async function measuredIn(
  engine: Engine,
  begin: (engine: Engine) => string | Promise<string>,
): Promise<MeasuredJob> {
  const started = performance.now();
  const before = process.cpuUsage();
  const job = await rested(engine, await begin(engine));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { job, seconds, cpuSeconds: (user + system) / 1e6, peakMiB: memoryMiB('VmHWM') };
}

/** Opens a queue, runs one job in it, and closes it. */
export async function measuredJob(
  input: Input,
  begin: (engine: Engine) => string | Promise<string>,
  requestLog?: RequestLogSink,
): Promise<MeasuredJob> {
  const { engine, close } = openQueue(input, requestLog);
  try {
    return await measuredIn(engine, begin);
  } finally {
    await close();
  }
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
