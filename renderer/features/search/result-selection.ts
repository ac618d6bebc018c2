import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';

/** The selected search results: some by key, or all, including those never loaded. */
export type ResultSelection =
  { readonly kind: 'all' } | { readonly kind: 'some'; readonly rows: ReadonlyMap<string, ObjectEntry> };

/** As many single keys as one operation takes; all results together have no such limit. */
export const mostKeys = 10_000;

export const noneSelected: ResultSelection = { kind: 'some', rows: new Map() };

export function onlyRows(rows: readonly ObjectEntry[]): ResultSelection {
  return { kind: 'some', rows: new Map(rows.map((row) => [row.key, row])) };
}

export function addedRows(selection: ResultSelection, rows: readonly ObjectEntry[]): ResultSelection {
  if (selection.kind === 'all') return selection;
  return onlyRows([...selection.rows.values(), ...rows]);
}

/** `all` loses one only by being written out first, see `useResults`. */
export function toggledRow(selection: ResultSelection, row: ObjectEntry): ResultSelection {
  if (selection.kind === 'all') return onlyRows([row]);
  const rows = new Map(selection.rows);
  if (!rows.delete(row.key)) rows.set(row.key, row);
  return { kind: 'some', rows };
}

export function isRowSelected(selection: ResultSelection, row: ObjectEntry): boolean {
  return selection.kind === 'all' || selection.rows.has(row.key);
}

export interface SelectedSum {
  readonly count: number;
  readonly sizeBytes: number;
}

export function sumOfSelection(selection: ResultSelection, all: SelectedSum): SelectedSum {
  if (selection.kind === 'all') return all;
  let sizeBytes = 0;
  for (const row of selection.rows.values()) sizeBytes += row.sizeBytes;
  return { count: selection.rows.size, sizeBytes };
}

/** Why nothing can be done with the selection at the moment; null: it can. */
export type Hindrance = 'none' | 'running' | 'too-many' | null;

export function hindranceOf(selection: ResultSelection, total: number, isRunning: boolean): Hindrance {
  if (selection.kind === 'all') return total === 0 ? 'none' : isRunning ? 'running' : null;
  if (selection.rows.size === 0) return 'none';
  return selection.rows.size > mostKeys ? 'too-many' : null;
}

/** As operations and downloads take it. */
export function itemsOf(selection: ResultSelection, walkId: string): readonly SelectionItem[] {
  if (selection.kind === 'all') return [{ kind: 'walk', walkId }];
  return [...selection.rows.keys()].map((key) => ({ kind: 'key', key }));
}
