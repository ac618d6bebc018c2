import { defaultUploadOptions } from '../../shared/models/transfers.ts';
import { measuredJob } from './measured-job.ts';
import type { Measured, TransferRun } from './transfers.ts';

/** One upload or download by the queue of the program; tells its time, the processor time and the memory. */
process.once('message', (input: TransferRun) => {
  void transfer(input).then((result) => process.send?.(result));
});

async function transfer(input: TransferRun): Promise<Measured> {
  const where = { connectionId: 'c', bucket: input.bucket };
  const { seconds, cpuSeconds, peakMiB } = await measuredJob(input, async ({ transfers }) => {
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
    return jobId;
  });
  return { seconds, cpuSeconds, peakMiB };
}
