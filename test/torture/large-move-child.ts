import { isResting } from '../../electron/core/jobs/job.ts';
import { nodeClock } from '../../electron/host/node-ports.ts';
import { startEngine } from '../support/core/engine.ts';
import type { ChildInput, ChildNews } from './large-move.ts';

/** Runs the core in a separate process that large-move.ts kills. Starts the move, or resumes it. */
process.once('message', (input: ChildInput) => {
  void work(input);
});

async function work(input: ChildInput): Promise<void> {
  const requests: Record<string, number> = {};
  const { uploads, operations, close } = startEngine({
    folder: input.folder,
    service: input.ceph,
    requestLog: ({ operation }) => {
      requests[operation] = (requests[operation] ?? 0) + 1;
    },
  });
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
  await close();
  process.disconnect();
}
