import type { FolderRow } from './row.ts';

export interface SumBelow {
  readonly objects: number;
  readonly sizeBytes: number;
}

const sums = new WeakMap<FolderRow, SumBelow>();

/** Returns the count and size of everything below a folder from a catalogue, or null if unknown. Stored weakly by row object. */
export function belowOf(row: FolderRow): SumBelow | null {
  return sums.get(row) ?? null;
}

export function setBelow(row: FolderRow, sum: SumBelow | null): void {
  if (sum === null) sums.delete(row);
  else sums.set(row, sum);
}
