import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { maxSelectedItems } from '../../../shared/models/limits.ts';
import { type NameSpan, spanInName } from '../../../shared/keys/name-match.ts';
import type { KeyedRow, KeyedRows } from '../../ui/table/keyed-selection.ts';

/** The selected search results: some results by key, or all results including those never loaded. */
export type ResultSelection =
  { readonly kind: 'all' } | { readonly kind: 'some'; readonly rows: KeyedRows<ObjectEntry> };

export function resultRow(row: ObjectEntry): KeyedRow<ObjectEntry> {
  return [row.key, row];
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

/** The reason why the actions on the selection are disabled, or null if they are enabled. */
export type DisabledReason = 'none' | 'running' | 'too-many' | null;

export function disabledReasonOf(
  selection: ResultSelection,
  total: number,
  isRunning: boolean,
): DisabledReason {
  if (selection.kind === 'all') return total === 0 ? 'none' : isRunning ? 'running' : null;
  if (selection.rows.size === 0) return 'none';
  return selection.rows.size > maxSelectedItems ? 'too-many' : null;
}

/** Returns the keys that are no longer results. One call of `present` takes at most `maxSelectedItems` keys. */
export async function absentKeys(
  keys: readonly string[],
  present: (keys: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const absent = new Set(keys);
  for (let from = 0; from < keys.length; from += maxSelectedItems) {
    for (const key of await present(keys.slice(from, from + maxSelectedItems))) absent.delete(key);
  }
  return absent;
}

/** Converts the selection to the form that operations and downloads need. */
export function selectedResults(selection: ResultSelection, walkId: string): readonly SelectionItem[] {
  if (selection.kind === 'all') return [{ kind: 'walk', walkId }];
  return [...selection.rows.keys()].map((key) => ({ kind: 'key', key }));
}

/** Returns the first occurrence of a text in a name, in whole letters of the name. Null if it does not occur. */
export function foundPart(name: string, text: string, isCaseSensitive: boolean): NameSpan | null {
  // The search compares the same lower-cased texts (core/walks/pages/matcher.ts).
  const haystack = isCaseSensitive ? name : name.toLowerCase();
  const needle = isCaseSensitive ? text : text.toLowerCase();
  const at = needle === '' ? -1 : haystack.indexOf(needle);
  return at === -1 ? null : spanInName(name, haystack, at, needle.length);
}
