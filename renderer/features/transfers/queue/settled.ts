import type { Job, SettledJob, JobsEvent } from '../../../../shared/models/jobs.ts';

/** A notice about jobs that have ended. `JobKnown` is how much is known of a job with a separate notice. */
export type SettledNotice<JobKnown = Job> =
  | { readonly kind: 'done'; readonly job: JobKnown }
  | { readonly kind: 'attention'; readonly job: JobKnown }
  | { readonly kind: 'many-done'; readonly count: number; readonly jobIds: readonly string[] }
  | { readonly kind: 'many-attention'; readonly count: number; readonly jobIds: readonly string[] };

/** Number of jobs that get separate notices if they end together. Above it, one notice reports only the number. */
const fewJobs = 2;

/** Returns true if a job waits for the user, unless the user paused it. */
function wantsAttention({ state, reason }: Pick<Job, 'state' | 'reason'>): boolean {
  return state === 'needs-attention' || (state === 'paused' && reason !== 'by-user');
}

/** Returns the notices about jobs that ended together. Jobs that the user paused or cancelled need no notice. */
export function noticesFor(settled: readonly SettledJob[]): readonly SettledNotice<SettledJob>[] {
  const done = settled.filter((job) => job.state === 'done');
  const attention = settled.filter(wantsAttention);
  return [
    ...(attention.length > fewJobs
      ? [{ kind: 'many-attention', count: attention.length, jobIds: attention.map(({ id }) => id) } as const]
      : attention.map((job) => ({ kind: 'attention', job }) as const)),
    ...(done.length > fewJobs
      ? [{ kind: 'many-done', count: done.length, jobIds: done.map(({ id }) => id) } as const]
      : done.map((job) => ({ kind: 'done', job }) as const)),
  ];
}

/** The visible notices that ask for attention, each with its jobs. */
export type OpenNotices = ReadonlyMap<string, ReadonlySet<string>>;

export const noOpenNotices: OpenNotices = new Map();

type JobChanges = Pick<JobsEvent, 'changed' | 'removed'>;

/** Removes jobs that no longer need attention. Returns in `over` the notices without any jobs left, which the caller closes. */
export function withoutSettledJobs(
  open: OpenNotices,
  { changed, removed }: JobChanges,
): { readonly open: OpenNotices; readonly over: readonly string[] } {
  const settled = new Set(removed);
  for (const job of changed) if (!wantsAttention(job)) settled.add(job.id);
  const next = new Map<string, ReadonlySet<string>>();
  const over: string[] = [];
  for (const [noticeId, jobIds] of open) {
    const left = new Set([...jobIds].filter((id) => !settled.has(id)));
    if (left.size === 0) over.push(noticeId);
    else next.set(noticeId, left);
  }
  return { open: next, over };
}
