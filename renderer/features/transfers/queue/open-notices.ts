import type { JobsEvent } from '../../../../shared/models/jobs.ts';
import { wantsAttention } from './settled.ts';

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
