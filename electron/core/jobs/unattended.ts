import type { Job } from '../../../shared/models/jobs.ts';
import { runningStates } from './job.ts';

/** An unfinished job that nothing will ever continue. */
export interface Unattended {
  readonly jobId: string;
  readonly state: string;
  readonly why: string;
}

/** The facts that the engine knows about an unfinished job. */
export interface UnfinishedJobFacts {
  readonly job: Pick<Job, 'id' | 'state' | 'reason'>;
  /** The stored state. The model may show another one for a job whose event could not be stored. */
  readonly storedState: string;
  readonly dueMs: number | null;
  readonly hasEffect: boolean;
  /** True if the disk rejects writes, so the job's events are pending or no job may start. */
  readonly waitsForDisk: boolean;
  /** True if a slot is free and no ending effect holds the job's lock. */
  readonly mayStart: boolean;
  /** When the engine's timer fires; null if it is not set. */
  readonly timerAtMs: number | null;
  readonly diskTimerIsSet: boolean;
}

/**
 * Checks the queue's rule: an unfinished job has a running effect, a timer, or a reason in its row with a button that continues
 * it. Returns the violation; null if there is none.
 */
export function whyUnattended(it: UnfinishedJobFacts): string | null {
  const { job, storedState, dueMs } = it;
  if (it.hasEffect) return null;
  if (it.waitsForDisk) return it.diskTimerIsSet ? null : 'waits for the disk, but no timer retries the write';
  // A paused job has the button "Resume". One that needs attention has a remedy, "Try again now" or "Cancel".
  if (job.state === 'paused' || job.state === 'needs-attention')
    return job.reason === null ? 'rests without a reason' : null;
  const startsByItself = storedState === 'waiting' || dueMs !== null;
  if (!startsByItself)
    return (runningStates as readonly string[]).includes(storedState)
      ? 'is in a running state, but no effect runs'
      : 'waits for an event that never comes';
  if (dueMs !== null && it.timerAtMs !== null && it.timerAtMs <= dueMs) return null;
  if (storedState !== 'waiting' && it.timerAtMs === null && it.mayStart)
    return 'no timer is set for its time';
  return it.mayStart ? 'may start, but was not started' : null;
}
