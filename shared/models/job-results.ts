import type { Job } from './jobs.ts';
import type { ItemCounts } from './transfers.ts';

// Separate from the schemas, like the job kinds: the window needs it at its start.

/**
 * Returns true if a job succeeded without changing anything: it had no items, or all were skipped or as wanted before. Never true for a sync, since
 * both sides then already match, nor for deleting an empty bucket.
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

/** Returns how many items a job really copied, deleted or changed. */
export function changedItems({ done, same = 0 }: Pick<ItemCounts, 'done' | 'same'>): number {
  return done - same;
}
