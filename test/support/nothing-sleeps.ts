import type { JobEngine } from '../../electron/core/jobs/engine.ts';

/**
 * Holds the law of the queue at this moment: a job that is not at its end has an effect under way, or a timer that is set,
 * or a sentence that says what it waits for and a button that ends the wait. It may be asked at any time between two turns
 * of the event loop, and reads every job that is not at its end.
 */
export function assertNothingSleeps(engine: Pick<JobEngine, 'unattended'>): void {
  const unattended = engine.unattended();
  if (unattended.length === 0) return;
  const lines = unattended.map(({ jobId, state, why }) => `${jobId} (${state}) ${why}`);
  throw new Error(`Nothing will wake these jobs:\n${lines.join('\n')}`);
}
