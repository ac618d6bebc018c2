import { create } from 'zustand';

interface ShownJob {
  /** Null for the list as a whole. */
  readonly jobId: string | null;
  /** Grows with each request. */
  readonly serial: number;
  /** The serial of the last request that also opens the panel, or 0 before the first. */
  readonly openedBy: number;
}

/** The job that was last selected for the transfers panel. */
export const useShownJob = create<ShownJob>()(() => ({ jobId: null, serial: 0, openedBy: 0 }));

/** Opens the transfers, and selects this job unless it is null. */
export function openTransfers(jobId: string | null = null): void {
  useShownJob.setState(({ serial }) => ({ jobId, serial: serial + 1, openedBy: serial + 1 }));
}

/**
 * Selects a started job in the transfers panel if it is open. Does not open the panel, since the status bar announces the job.
 */
export function showStartedJob(jobId: string): void {
  useShownJob.setState(({ serial }) => ({ jobId, serial: serial + 1 }));
}
