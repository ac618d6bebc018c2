import type { JobEngine } from '../../electron/core/jobs/engine.ts';

/**
 * Throws if an unfinished job sleeps with nothing to wake it. Each must have a running effect, a timer, or a state that says what
 * it waits for and lets the user end the wait. May be called at any time between two turns of the event loop.
 */
export function assertNothingSleeps(engine: Pick<JobEngine, 'unattended'>): void {
  const unattended = engine.unattended();
  if (unattended.length === 0) return;
  const lines = unattended.map(({ jobId, state, why }) => `${jobId} (${state}) ${why}`);
  throw new Error(`Nothing will wake these jobs:\n${lines.join('\n')}`);
}
