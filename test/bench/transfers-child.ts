import { beginTransfer } from '../support/core/engine.ts';
import { measuredJob } from './measured-job.ts';
import type { Measured, TransferRun } from './transfers-load.ts';

/** Uploads and downloads by the queue of the program, one after the other; tells the time of each, the processor time and the memory. */
process.on('message', (input: TransferRun) => {
  void transfer(input).then((result) => process.send?.(result));
});

async function transfer(input: TransferRun): Promise<Measured> {
  const { seconds, cpuSeconds, peakMiB } = await measuredJob(input, (engine) => beginTransfer(engine, input));
  return { seconds, cpuSeconds, peakMiB };
}
