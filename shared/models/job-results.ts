import type { Job } from './jobs.ts';

// Apart from the models, as the kinds are: the window needs it as it opens.

/**
 * Returns true if a job succeeded without changing anything: it had no items, or all were skipped. Never true of a sync, whose
 * goal is reached then, nor of deleting an empty bucket.
 */
export function hasDoneNothing({
  state,
  outcome,
  items,
  sync,
}: Pick<Job, 'state' | 'outcome' | 'items' | 'sync'>): boolean {
  return state === 'done' && items?.done === 0 && sync === undefined && outcome !== 'bucket-deleted';
}
