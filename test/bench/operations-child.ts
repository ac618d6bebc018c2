import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isResting } from '../../electron/core/jobs/types.ts';
import { Operations } from '../../electron/core/operations/operations.ts';
import { createS3Client } from '../../electron/core/s3/client.ts';
import { openDatabase } from '../../electron/core/store/database.ts';
import { transferFamily } from '../../electron/core/transfers/create.ts';
import { Uploads } from '../../electron/core/uploads/uploads.ts';
import { nodeClock, nodeRandom } from '../../electron/host/node-ports.ts';
import type { OperationMeasured, OperationRun } from './operations.ts';

const silentLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** One move or deletion by the queue of the program; tells its time, requests, processor time and memory. */
process.once('message', (input: OperationRun) => {
  void operate(input).then((result) => process.send?.(result));
});

async function operate(input: OperationRun): Promise<OperationMeasured> {
  const folder = mkdtempSync(path.join(input.folder, 'cooper-'));
  const { server, bucket } = input;
  let requests = 0;
  const client = createS3Client(
    {
      endpoint: server.endpoint,
      region: 'us-east-1',
      addressing: 'path',
      credentials: () => Promise.resolve(server.keys),
      caPem: null,
      proxyUrl: 'none',
      provider: 'custom',
    },
    {
      clock: nodeClock,
      random: nodeRandom,
      logger: silentLogger,
      requestLog: () => {
        requests += 1;
      },
    },
  );
  const clientOf = (): Promise<typeof client> => Promise.resolve(client);
  const family = transferFamily({ clock: nodeClock, random: nodeRandom, clientOf });
  const uploads = new Uploads({
    database: openDatabase(path.join(folder, 'cooper.db'), { nowMs: Date.now() }).database,
    clock: nodeClock,
    random: nodeRandom,
    logger: silentLogger,
    clientOf,
    bucketsOf: () => Promise.resolve({ buckets: [], error: null }),
    equalPartSizes: () => false,
    pathOf: (handle) => handle,
    handleFor: (filePath) => filePath,
    family: family.make,
  });
  const operations = new Operations({ jobs: uploads.jobs, clock: nodeClock, random: nodeRandom, clientOf });
  uploads.start();
  const place = { connectionId: 'c', bucket };
  const items = [{ kind: 'prefix', prefix: input.prefix }] as const;
  const started = performance.now();
  const before = process.cpuUsage();
  const jobId =
    input.kind === 'delete'
      ? operations.delete(place, items, 'markers').jobId
      : operations.copy({
          from: { ...place, basePrefix: input.prefix },
          items,
          to: { ...place, prefix: input.to },
          options: { onConflict: 'ask', isMove: true },
        }).jobId;
  if (jobId === null) throw new Error('There was nothing to do.');
  let count = 0;
  for (;;) {
    const job = uploads.jobs.job(jobId);
    if (job !== null && isResting(job.state)) {
      count = job.items?.done ?? 0;
      if (job.state !== 'done' || count !== input.objects) throw new Error(JSON.stringify(job));
      break;
    }
    await nodeClock.sleep(20);
  }
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  await uploads.close();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
  // ru_maxrss counts the peak of the process that forked this one, too; VmHWM is this program's own.
  const peakKiB = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? Number.NaN);
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMiB: peakKiB / 1024, requests };
}
