import type { FolderRow } from './row.ts';

export interface FolderTotals {
  readonly objects: number;
  readonly sizeBytes: number;
}

const sums = new WeakMap<FolderRow, FolderTotals>();

/** Returns the count and size of everything below a folder from a catalogue, or null if unknown. Stored weakly by row object. */
export function folderTotalsOf(row: FolderRow): FolderTotals | null {
  return sums.get(row) ?? null;
}

export function setFolderTotals(row: FolderRow, sum: FolderTotals | null): void {
  if (sum === null) sums.delete(row);
  else sums.set(row, sum);
}
