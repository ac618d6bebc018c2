import type { RowOrder } from '../../../ui/table/selection.ts';
import type { FolderRow } from './row.ts';

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
