import type { JobEngine } from '../../electron/core/jobs/engine.ts';

/**
 * Returns a line for each job that nothing will ever continue: every job that has not ended must have work in progress, a timer, or
 * a text that says what it waits for and a button that ends the wait.
 */
export function unattendedJobs(engine: Pick<JobEngine, 'unattended'>): readonly string[] {
  return engine.unattended().map(({ jobId, state, why }) => `nothing will wake ${jobId} (${state}): ${why}`);
}
