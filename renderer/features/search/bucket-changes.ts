import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Place } from '../../../shared/models/objects.ts';

/** How often objects of each bucket have changed since this window was loaded. */
const changes = createStore<ReadonlyMap<string, number>>()(() => new Map());

function bucketKey({ connectionId, bucket }: Place): string {
  return JSON.stringify([connectionId, bucket]);
}

/** Makes visible searches of a bucket follow a change of its objects. */
export function noteBucketChange(place: Place): void {
  changes.setState((before) => new Map(before).set(bucketKey(place), countOf(before, place) + 1), true);
}

/** Returns the number of changes of a bucket so far. */
export function useBucketChanges(place: Place): number {
  return useStore(changes, (counts) => countOf(counts, place));
}

function countOf(counts: ReadonlyMap<string, number>, place: Place): number {
  return counts.get(bucketKey(place)) ?? 0;
}
