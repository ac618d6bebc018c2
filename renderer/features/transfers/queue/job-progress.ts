import type { TFunction } from 'i18next';
import type { Job, JobCounts, JobState } from '../../../../shared/models/jobs.ts';

/** Groups of states in the panel. */
export const jobGroups = ['running', 'waiting', 'resting', 'attention', 'finished'] as const;
export type JobGroup = (typeof jobGroups)[number];

const groupOfState: Readonly<Record<JobState, JobGroup>> = {
  waiting: 'waiting',
  'listing-parts': 'running',
  'verifying-parts': 'running',
  'sending-parts': 'running',
  completing: 'running',
  'verifying-outcome': 'running',
  aborting: 'running',
  preparing: 'running',
  transferring: 'running',
  'retry-scheduled': 'running',
  paused: 'resting',
  'needs-attention': 'attention',
  done: 'finished',
  cancelled: 'finished',
};

export function groupOf(state: JobState): JobGroup {
  return groupOfState[state];
}

export function statesOf(group: JobGroup): JobState[] {
  return (Object.keys(groupOfState) as JobState[]).filter((state) => groupOfState[state] === group);
}

export function countOf(counts: JobCounts, group: JobGroup): number {
  return statesOf(group).reduce((sum, state) => sum + (counts.byState[state] ?? 0), 0);
}

/** Returns the number of jobs that run or are queued. */
export function activeCount(counts: JobCounts): number {
  return countOf(counts, 'running') + countOf(counts, 'waiting');
}

/** Returns a whole percentage that reaches 100 only when all work is done. Null if the total is 0. */
export function percentOf(done: number, total: number): number | null {
  if (total <= 0) return null;
  if (done >= total) return 100;
  return Math.max(0, Math.min(99, Math.floor((done / total) * 100)));
}

/** Returns the progress of a job by bytes, or by parts if bytes are not counted. */
export function jobPercent(job: Job): number | null {
  if (job.state === 'done') return 100;
  // Shows no percentage, since the growing total would make it go backwards.
  if (job.state === 'preparing') return null;
  // Counts uploads instead of bytes, since the size of each upload becomes known only when the upload is done.
  if (job.kind === 'abort-many' || job.kind === 'complete-many')
    return percentOf(job.partsDone, job.partsTotal);
  return percentOf(job.bytesDone, job.bytesTotal) ?? percentOf(job.partsDone, job.partsTotal);
}

export type TotalProgress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly count: number; readonly percent: number | null };

/**
 * Returns the percentage for all running and waiting jobs. Reaches 100 only while jobs are being completed, so that the bar never
 * shows the end too early.
 */
export function totalProgress(counts: JobCounts): TotalProgress {
  const count = activeCount(counts);
  if (count === 0) return { kind: 'idle' };
  const percent = percentOf(counts.bytesDone, counts.bytesTotal);
  return { kind: 'running', count, percent: percent === null ? null : Math.min(99, percent) };
}

/** Returns progress in steps of 25 percent for screen readers, which would otherwise announce every part sent. */
export function spokenProgress(counts: JobCounts): TotalProgress {
  const total = totalProgress(counts);
  if (total.kind === 'idle' || total.percent === null) return total;
  return { ...total, percent: Math.floor(total.percent / 25) * 25 };
}

/** Returns how many jobs run or wait, and their combined progress. */
export function activeText(
  { count, percent }: Extract<TotalProgress, { kind: 'running' }>,
  t: TFunction,
): string {
  return percent === null
    ? t('entries.jobs.active', { count })
    : t('entries.jobs.activePercent', { count, percent });
}
