import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isResting } from '../../electron/core/jobs/types.ts';
import { createS3Client } from '../../electron/core/s3/client.ts';
import { openDatabase } from '../../electron/core/store/database.ts';
import { createTransfers, transferFamily } from '../../electron/core/transfers/create.ts';
import { Uploads } from '../../electron/core/uploads/uploads.ts';
import { nodeClock, nodeRandom } from '../../electron/host/node-ports.ts';
import { defaultUploadOptions } from '../../shared/models/transfers.ts';
import type { Measured, TransferRun } from './transfers.ts';

const silentLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** One upload or download by the queue of the program; tells its time, the processor time and the memory. */
process.once('message', (input: TransferRun) => {
  void transfer(input).then((result) => process.send?.(result));
});

async function transfer(input: TransferRun): Promise<Measured> {
  const folder = mkdtempSync(path.join(input.folder, 'cooper-'));
  const { server } = input;
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
    { clock: nodeClock, random: nodeRandom, logger: silentLogger },
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
  const transfers = createTransfers(family, {
    jobs: uploads.jobs,
    clock: nodeClock,
    random: nodeRandom,
    pathOf: (handle) => handle,
  });
  uploads.start();
  const where = { connectionId: 'c', bucket: input.bucket };
  const started = performance.now();
  const before = process.cpuUsage();
  const { jobId } =
    input.kind === 'upload'
      ? transfers.upload({
          ...where,
          prefix: input.prefix,
          fileHandles: [input.local],
          options: defaultUploadOptions,
        })
      : await transfers.download({
          ...where,
          basePrefix: input.prefix,
          items: [
            input.key === null ? { kind: 'prefix', prefix: input.prefix } : { kind: 'key', key: input.key },
          ],
          folderHandle: input.local,
          options: { onConflict: 'ask' },
        });
  for (;;) {
    const job = uploads.jobs.job(jobId);
    if (job !== null && isResting(job.state)) {
      if (job.state !== 'done') throw new Error(JSON.stringify(job));
      break;
    }
    await nodeClock.sleep(20);
  }
  const seconds = (performance.now() - started) / 1000;
  // As with the time: the program is open already.
  const { user, system } = process.cpuUsage(before);
  await uploads.close();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
  // ru_maxrss counts the peak of the process that forked this one, too; VmHWM is this program's own.
  const peakKiB = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? Number.NaN);
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMiB: peakKiB / 1024 };
}
