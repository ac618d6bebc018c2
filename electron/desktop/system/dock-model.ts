import type { JobCounts, JobState } from '../../../shared/models/jobs.ts';

const resting: ReadonlySet<string> = new Set<JobState>(['paused', 'needs-attention', 'done', 'cancelled']);

/** Returns the number of running and waiting jobs. */
export function activeJobs(counts: JobCounts): number {
  return Object.entries(counts.byState).reduce(
    (sum, [state, count]) => (resting.has(state) ? sum : sum + count),
    0,
  );
}

export interface Dock {
  /** The progress bar on the icon: 0 to 1; below 0 hides it, above 1 is indeterminate. */
  readonly progress: number;
  readonly mode: 'normal' | 'error';
  readonly badge: number;
}

/** Returns the progress of jobs to show on the dock or taskbar icon. */
export function dockOf(counts: JobCounts): Dock {
  const active = activeJobs(counts);
  const waiting = counts.byState['needs-attention'] ?? 0;
  const mode = waiting > 0 ? 'error' : 'normal';
  if (active === 0) return { progress: -1, mode, badge: waiting };
  const progress = counts.bytesTotal > 0 ? Math.min(1, counts.bytesDone / counts.bytesTotal) : 2;
  return { progress, mode, badge: active + waiting };
}
