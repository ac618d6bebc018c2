import { noDialogs } from '../../../electron/browser/shell.ts';
import { createWalks } from '../../../electron/core/walks/walks.ts';
import { nodeClock, nodeRandom } from '../../../electron/host/node-ports.ts';
import { boundYoungGeneration } from '../../../electron/host/process.ts';
import type { WalkQuery, WalkStatus } from '../../../shared/models/walks.ts';
import { memoryMiB } from '../../support/memory.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { silentLogger } from '../../support/servers/s3-client.ts';
import type { Measured } from '../transfers/transfers-load.ts';

export interface WalkRun {
  readonly endpoint: string;
  readonly bucket: string;
  readonly dataDir: string;
  readonly query: WalkQuery | null;
}

export interface WalkMeasured extends Measured {
  readonly status: WalkStatus;
  /** The longest time in milliseconds that the main thread was blocked. */
  readonly longestTaskMs: number;
}

// Limits the young generation, as the program does.
boundYoungGeneration();
process.once('message', (input: WalkRun) => {
  void walk(input).then((result) => process.send?.(result));
});

async function walk({ endpoint, bucket, dataDir, query }: WalkRun): Promise<WalkMeasured> {
  const client = realClient({ endpoint, keys: { accessKeyId: 'BENCH', secretAccessKey: 'bench-secret' } });
  const walks = createWalks({
    ports: { clock: nodeClock, random: nodeRandom, logger: silentLogger, dialogs: noDialogs },
    dataDir,
    client: () => Promise.resolve(client),
    startOf: () => null,
    ...(process.env['BENCH_THREADS'] === undefined
      ? {}
      : { pool: { threads: Number(process.env['BENCH_THREADS']) } }),
    ...(process.env['BENCH_READERS'] === undefined ? {} : { readers: Number(process.env['BENCH_READERS']) }),
  });
  let longestTaskMs = 0;
  let lastMs = performance.now();
  const ticking = setInterval(() => {
    const nowMs = performance.now();
    longestTaskMs = Math.max(longestTaskMs, nowMs - lastMs - 5);
    lastMs = nowMs;
  }, 5);
  const started = performance.now();
  const walkId = walks.start({ connectionId: 'c', bucket, prefix: '', query });
  let status = walks.list()[0];
  for await (const event of walks.watch(walkId, new AbortController().signal)) status = event;
  const seconds = (performance.now() - started) / 1000;
  clearInterval(ticking);
  if (status?.state !== 'done') throw new Error(JSON.stringify(status));
  await walks.close();
  await client.close();
  const { user, system } = process.cpuUsage();
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMiB: memoryMiB('VmHWM'), status, longestTaskMs };
}
