import { create } from 'zustand';
import { isSamePlace, type Chosen, type OperationPlace } from './chosen.ts';

/** The rows copied or cut in this window, until they are pasted or other rows are marked. */
export interface Marked {
  readonly isCut: boolean;
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  readonly keys: ReadonlySet<string>;
}

const useMarked = create<{ readonly marked: Marked | null }>()(() => ({ marked: null }));

export function mark(isCut: boolean, from: OperationPlace, rows: readonly Chosen[]): void {
  useMarked.setState({ marked: { isCut, from, rows, keys: new Set(rows.map(({ key }) => key)) } });
}

export function markedNow(): Marked | null {
  return useMarked.getState().marked;
}

/** Clears the mark on cut rows, but not on copied rows. Returns true if rows were cut. */
export function forgetCut(): boolean {
  if (markedNow()?.isCut !== true) return false;
  useMarked.setState({ marked: null });
  return true;
}

/**
 * Returns the keys of this folder's rows that were cut, or null without cut rows. The set stays the same object until cut rows
 * change.
 */
export function useCutKeys(place: OperationPlace | null): ReadonlySet<string> | null {
  const { marked } = useMarked();
  return place !== null && marked?.isCut === true && isSamePlace(marked.from, place) ? marked.keys : null;
}
