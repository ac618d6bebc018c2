import type { JobEngine } from '../../electron/core/jobs/engine.ts';

/**
 * The law of the queue at this moment: a job that is not at its end has an effect under way, or a timer that is set, or a
 * sentence that says what it waits for and a button that ends the wait. Gives a line for each job that breaks it.
 */
export function lawIsBroken(engine: Pick<JobEngine, 'unattended'>): readonly string[] {
  return engine.unattended().map(({ jobId, state, why }) => `nothing will wake ${jobId} (${state}): ${why}`);
}
