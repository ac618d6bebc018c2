import { beginTransfer } from '../../support/core/engine.ts';
import { memoryMiB } from '../../support/memory.ts';
import { measuredIn, openQueue } from '../support/measured-job.ts';
import type { Measured, TransferRun } from './transfers-load.ts';

const startMiB = memoryMiB('VmRSS');

/** As in a program that stays open, all transfers are jobs of one queue, with its threads. */
let queue: ReturnType<typeof openQueue> | null = null;

/** Uploads and downloads by the queue of the program, one after the other; tells the time of each, the processor time and the memory. */
process.on('message', (input: TransferRun) => {
  void transfer(input).then((result) => process.send?.(result));
});
process.once('disconnect', () => void queue?.close());

async function transfer(input: TransferRun): Promise<Measured> {
  queue ??= openQueue(input);
  const { seconds, cpuSeconds, peakMiB } = await measuredIn(queue.engine, (engine) =>
    beginTransfer(engine, input),
  );
  return { seconds, cpuSeconds, peakMiB, startMiB };
}
