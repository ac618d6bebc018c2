import type { RowOrder } from '../../../ui/table/selection.ts';

/** A row in a folder, identified by kind and full key, since `a` and `a/` may both exist. */
export interface FolderRow {
  readonly kind: 'folder' | 'object';
  /** The object key, or the common prefix with its trailing `/`. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, or NaN if the service does not report the time. */
  readonly modifiedMs: number;
  readonly storageClass: string | null;
  readonly etag: string | null;
  /** The core's handle for a local file or folder. Absent for objects. */
  readonly handle?: string;
}

/** The rows that a list or gallery draws: those of a folder, or the results of a search. */
export interface ShownRows extends RowOrder {
  /** The text that the names contain, or '' without a filter. */
  readonly filter: string;
  readonly busy: 'sorting' | 'filtering' | null;
  /** Returns a row by number. Undefined if it is not loaded. */
  row(number: number): FolderRow | undefined;
  /** Returns the number of the row with this kind and key, or -1 if it is not loaded. */
  find(kind: FolderRow['kind'], key: string): number;
  nameOf(row: FolderRow): string;
}

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
