import { nothingSelected, type Selection } from '../../../ui/table/selection.ts';
import type { FolderModel } from '../folder/folder-model.ts';

/** Carries the selection over to a folder that was listed again. If the focused row is gone, the focus stays at its position. */
export function carriedSelection(selection: Selection, from: FolderModel, to: FolderModel): Selection {
  const { rows, focus, anchor } = selection;
  if (focus === null && rows.size === 0) return nothingSelected;
  const wanted = new Set<string>();
  for (const number of [...rows, focus, anchor]) {
    const key = number === null ? undefined : from.key(number);
    if (key !== undefined) wanted.add(key);
  }
  // Within one folder a key has one row: keys of folders end in the delimiter.
  const found = new Map<string, number>();
  for (let number = 0; number < to.loadedCount; number += 1) {
    const key = to.key(number) ?? '';
    if (wanted.has(key)) found.set(key, number);
  }
  const carry = (number: number | null): number | null =>
    number === null ? null : (found.get(from.key(number) ?? '') ?? null);
  return {
    rows: new Set([...rows].flatMap((number) => carry(number) ?? [])),
    focus: carry(focus) ?? besides(focus, from, to),
    anchor: carry(anchor),
  };
}

function besides(focus: number | null, from: FolderModel, to: FolderModel): number | null {
  if (focus === null || to.count === 0) return null;
  const position = Math.min(Math.max(0, from.positionOf(focus)), to.count - 1);
  return to.rowAt(position);
}
