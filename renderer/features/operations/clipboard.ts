import { useSyncExternalStore } from 'react';
import { isSamePlace, type Chosen, type OperationPlace } from './chosen.ts';

/** What was copied or cut in this window, until it is pasted or something else takes its place. */
export interface Marked {
  readonly isCut: boolean;
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  readonly keys: ReadonlySet<string>;
}

let marked: Marked | null = null;
const listeners = new Set<() => void>();

function set(next: Marked | null): void {
  marked = next;
  for (const listener of listeners) listener();
}

export function mark(isCut: boolean, from: OperationPlace, rows: readonly Chosen[]): void {
  set({ isCut, from, rows, keys: new Set(rows.map(({ key }) => key)) });
}

export function markedNow(): Marked | null {
  return marked;
}

/** Nothing is cut any more; what was copied stays. Whether anything was cut. */
export function forgetCut(): boolean {
  if (marked?.isCut !== true) return false;
  set(null);
  return true;
}

/** The keys of the folder's rows that were cut; null: none. The same set until another is cut. */
export function useCutKeys(place: OperationPlace | null): ReadonlySet<string> | null {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => marked,
  );
  return place !== null && now?.isCut === true && isSamePlace(now.from, place) ? now.keys : null;
}
