import path from 'node:path';
import { isResting } from '../../electron/core/jobs/types.ts';
import { Operations } from '../../electron/core/operations/operations.ts';
import { createS3Client } from '../../electron/core/s3/client.ts';
import { openDatabase } from '../../electron/core/store/database.ts';
import { transferFamily } from '../../electron/core/transfers/create.ts';
import { Uploads } from '../../electron/core/uploads/uploads.ts';
import { nodeClock, nodeRandom } from '../../electron/host/node-ports.ts';
import { silentLogger } from '../support/s3-client.ts';
import type { ChildInput, ChildNews } from './large-move.ts';

/** The core in a process of its own, for large-move.ts to kill: begins the move, or goes on with it. */
process.once('message', (input: ChildInput) => {
  void work(input);
});

async function work(input: ChildInput): Promise<void> {
  const { ceph } = input;
  const requests: Record<string, number> = {};
  const client = createS3Client(
    {
      endpoint: ceph.endpoint,
      region: ceph.region,
      addressing: 'path',
      credentials: () => Promise.resolve(ceph),
      caPem: null,
      proxyUrl: 'none',
      provider: 'custom',
    },
    {
      clock: nodeClock,
      random: nodeRandom,
      logger: silentLogger,
      requestLog: ({ operation }) => {
        requests[operation] = (requests[operation] ?? 0) + 1;
      },
    },
  );
  const clientOf = (): Promise<typeof client> => Promise.resolve(client);
  const family = transferFamily({ clock: nodeClock, random: nodeRandom, clientOf });
  const uploads = new Uploads({
    database: openDatabase(path.join(input.folder, 'cooper.db'), { nowMs: Date.now() }).database,
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
  const jobId =
    input.jobId ??
    operations.copy({
      from: { connectionId: 'c', bucket: input.from, basePrefix: '' },
      items: [{ kind: 'key', key: input.key }],
      to: { connectionId: 'c', bucket: input.to, prefix: '' },
      options: { onConflict: 'ask', isMove: true },
    }).jobId;
  if (jobId === null) throw new Error('There was nothing to do.');
  for (;;) {
    const job = uploads.jobs.job(jobId);
    if (job === null) throw new Error('The job is lost.');
    const isOver = isResting(job.state);
    const peakKiB = process.resourceUsage().maxRSS;
    const { state, outcome, reason, error, bytesDone } = job;
    const news: ChildNews = { jobId, state, outcome, reason, error, bytesDone, isOver, requests, peakKiB };
    process.send?.(news);
    if (isOver) break;
    await nodeClock.sleep(100);
  }
  await uploads.close();
  await client.close();
  process.disconnect();
}
