import type { Job } from './jobs.ts';

// Apart from the models, as the kinds are: the window needs it as it opens.

/**
 * Whether a job ended well and has changed nothing: all of its items were skipped, or there were none. A sync that changed
 * nothing has what it wanted, and the deletion of an empty bucket has deleted the bucket.
 */
export function hasDoneNothing({
  state,
  outcome,
  items,
  sync,
}: Pick<Job, 'state' | 'outcome' | 'items' | 'sync'>): boolean {
  return state === 'done' && items?.done === 0 && sync === undefined && outcome !== 'bucket-deleted';
}
