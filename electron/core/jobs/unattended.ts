import type { Job } from '../../../shared/models/jobs.ts';
import { runningStates } from './job.ts';

/** A job that nothing will ever wake. */
export interface Unattended {
  readonly jobId: string;
  readonly state: string;
  readonly why: string;
}

/** The engine's record of an unfinished job. */
export interface Attendance {
  readonly job: Pick<Job, 'id' | 'state' | 'reason'>;
  /** The stored state. The model may show another one for a job whose event could not be stored. */
  readonly storedState: string;
  readonly dueMs: number | null;
  readonly hasEffect: boolean;
  /** Its events wait for the disk, or no job may start before the disk takes them. */
  readonly waitsForDisk: boolean;
  /** A slot is free, and no job that is ending holds its lock. */
  readonly mayStart: boolean;
  /** When the engine's timer fires; null: it is not set. */
  readonly timerAtMs: number | null;
  readonly diskTimerIsSet: boolean;
}

/**
 * The law of the queue: a job that is not at its end has an effect under way, or a timer that is set, or a sentence that says
 * what it waits for and a button that ends the wait. Gives what breaks it; null: nothing does.
 */
export function whyUnattended(it: Attendance): string | null {
  const { job, storedState, dueMs } = it;
  if (it.hasEffect) return null;
  if (it.waitsForDisk) return it.diskTimerIsSet ? null : 'waits for the disk, and nobody looks at that again';
  // Paused: "Resume". Needs attention: a remedy, "Try now" or "Cancel".
  if (job.state === 'paused' || job.state === 'needs-attention')
    return job.reason === null ? 'rests without a reason' : null;
  const startsByItself = storedState === 'waiting' || dueMs !== null;
  if (!startsByItself)
    return (runningStates as readonly string[]).includes(storedState)
      ? 'is said to run, and no effect is under way'
      : 'waits for nothing that will come';
  if (dueMs !== null && it.timerAtMs !== null && it.timerAtMs <= dueMs) return null;
  if (storedState !== 'waiting' && it.timerAtMs === null && it.mayStart)
    return 'no timer is set for its time';
  return it.mayStart ? 'may start, and nobody starts it' : null;
}
