import { measuredJob } from '../support/measured-job.ts';
import type { OperationMeasured, OperationRun } from './operations.ts';

/** Runs one move or deletion as a job of the queue, and reports its time, requests, processor time and memory. */
process.once('message', (input: OperationRun) => {
  void operate(input).then((result) => process.send?.(result));
});

async function operate(input: OperationRun): Promise<OperationMeasured> {
  let requests = 0;
  const place = { connectionId: 'c', bucket: input.bucket };
  const items = [{ kind: 'prefix', prefix: input.prefix }] as const;
  const { job, seconds, cpuSeconds, peakMiB } = await measuredJob(
    input,
    ({ operations }) => {
      const { jobId } =
        input.kind === 'delete'
          ? operations.delete(place, items, 'markers')
          : operations.copy({
              from: { ...place, basePrefix: input.prefix },
              items,
              to: { ...place, prefix: input.to },
              options: { onConflict: 'ask', isMove: true },
            });
      if (jobId === null) throw new Error('There was nothing to do.');
      return jobId;
    },
    () => {
      requests += 1;
    },
  );
  if (job.items?.done !== input.objects) throw new Error(JSON.stringify(job));
  return { seconds, cpuSeconds, peakMiB, requests };
}
