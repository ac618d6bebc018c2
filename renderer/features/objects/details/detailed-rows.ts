import type { FolderModel } from '../folder/folder-model.ts';
import type { FolderRow } from '../rows/row.ts';
import { sumOf, type SelectionSum } from '../views/status-line.tsx';

/** A selection as the details show it. */
export interface DetailedRows {
  readonly count: number;
  /** The only selected row, or null if no row or several rows are selected. */
  readonly only: FolderRow | null;
  readonly sum: () => SelectionSum;
  /** Returns the selected rows, or null if some of them are not loaded. */
  readonly rows: () => readonly FolderRow[] | null;
}

/** Returns the selected rows of a folder as the details show them. */
export function detailedRows(model: FolderModel | null, selected: ReadonlySet<number>): DetailedRows {
  const [number] = selected;
  const only = selected.size === 1 && number !== undefined ? model?.row(number) : undefined;
  return {
    count: selected.size,
    only: only ?? null,
    sum: () => sumOf(model, selected),
    rows: () => (model === null ? null : [...selected].flatMap((at) => model.row(at) ?? [])),
  };
}
