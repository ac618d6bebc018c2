import { beginTransfer } from '../../support/core/engine.ts';
import { memoryMiB } from '../../support/memory.ts';
import { measuredIn, openQueue } from '../support/measured-job.ts';
import type { Measured, TransferRun } from './transfers-load.ts';

const startMiB = memoryMiB('VmRSS');

/** The queue for all transfers, as in a program that stays open. */
let queue: ReturnType<typeof openQueue> | null = null;

/** Runs uploads and downloads as jobs of the queue, one after another, and reports time, processor time and memory of each. */
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
