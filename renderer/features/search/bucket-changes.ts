import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Place } from '../../../shared/models/objects.ts';

/** How often objects of each bucket have changed since this window was loaded. */
const changes = createStore<ReadonlyMap<string, number>>()(() => new Map());
/** The number of changes at the start of each search of this window. Searches from before a reload have started at 0. */
const atStart = new Map<string, number>();

function bucketKey({ connectionId, bucket }: Place): string {
  return JSON.stringify([connectionId, bucket]);
}

/** Returns the number of changes of a bucket so far. Read it before a search starts. */
export function countBucketChanges(place: Place): number {
  return changes.getState().get(bucketKey(place)) ?? 0;
}

/** Marks earlier searches of a bucket as out of date, because its objects may have changed. */
export function noteBucketChange(place: Place): void {
  changes.setState((before) => new Map(before).set(bucketKey(place), countBucketChanges(place) + 1), true);
}

/** Remembers the number of changes at the start of a search. */
export function rememberStart(walkId: string, changesBefore: number): void {
  atStart.set(walkId, changesBefore);
}

/** Returns true if the bucket may have changed since the search started. */
export function useIsOutOfDate(place: Place, walkId: string): boolean {
  const now = useStore(changes, (counts) => counts.get(bucketKey(place)) ?? 0);
  return now > (atStart.get(walkId) ?? 0);
}
