import type { Job } from './jobs.ts';
import type { ItemCounts } from './transfers.ts';

// Kept apart from the schemas, like the job kinds, because the window needs this file at its start.

/**
 * Returns true if a job succeeded without changing any item, because it had no items, skipped all, or found all as wanted.
 * Returns false for a sync, after which both sides match as intended, and for the deletion of a bucket.
 */
export function hasDoneNothing({
  state,
  outcome,
  items,
  sync,
}: Pick<Job, 'state' | 'outcome' | 'items' | 'sync'>): boolean {
  return (
    state === 'done' &&
    items !== undefined &&
    changedItems(items) === 0 &&
    sync === undefined &&
    outcome !== 'bucket-deleted'
  );
}

/** Returns how many items a job copied, deleted or changed, without those that were already as wanted. */
export function changedItems({ done, same = 0 }: Pick<ItemCounts, 'done' | 'same'>): number {
  return done - same;
}
