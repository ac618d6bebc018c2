import { useCallback, useMemo, useRef, useState } from 'react';
import { isCommand } from '../../../ui/keyboard/commands.ts';
import { hasMainModifier } from '../../../ui/keyboard/shortcuts.ts';
import {
  allSelected,
  cleared,
  clicked,
  movedTo,
  nothingSelected,
  pointedAt,
  positionByKey,
  toggleSelected,
  type KeySteps,
  type Modifiers,
  type Selection,
} from '../../../ui/table/selection.ts';
import { goesOn, nothingTyped, typedNext } from '../../../ui/table/type-ahead.ts';
import type { FolderModel } from '../folder/folder-model.ts';

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly timeStamp: number;
}

export interface RowSelection {
  readonly selection: Selection;
  readonly focusPosition: number;
  readonly click: (position: number, how: Modifiers) => void;
  /** Selects the target of a menu: a row, or null for the folder itself. */
  readonly pointAt: (position: number | null) => void;
  readonly focusRow: (row: number) => void;
  readonly selectAll: () => void;
  /** Handles a key. Returns true if it belongs to the selection. */
  readonly press: (event: KeyPress, steps: KeySteps) => boolean;
}

/**
 * The selection in a folder, and the keys that move it. Another model starts without a selection, unless it refreshes the
 * previous model.
 */
export function useSelection(model: FolderModel | null, showRow: (position: number) => void): RowSelection {
  const [held, setHeld] = useState<{ readonly model: FolderModel | null; readonly selection: Selection }>({
    model,
    selection: nothingSelected,
  });
  const before = model?.before ?? null;
  if (model !== null && before !== null && before === held.model)
    setHeld({ model, selection: carriedSelection(held.selection, before, model) });
  const selection = held.model === model ? held.selection : nothingSelected;
  const typed = useRef(nothingTyped);

  const apply = useCallback(
    (next: Selection) => {
      setHeld({ model, selection: next });
      const at = next.focus === null || model === null ? -1 : model.positionOf(next.focus);
      if (at !== -1) showRow(at);
    },
    [model, showRow],
  );

  const focusPosition = selection.focus === null ? -1 : (model?.positionOf(selection.focus) ?? -1);

  return useMemo(() => {
    const typeAhead = ({ key, timeStamp }: KeyPress): boolean => {
      if (model === null || Array.from(key).length !== 1) return false;
      typed.current = typedNext(typed.current, key, timeStamp);
      const { text } = typed.current;
      // Typing one letter repeatedly moves to the next name that starts with it.
      const letters = Array.from(text);
      const again = letters.every((letter) => letter === letters[0]);
      const wanted = again ? (letters[0] ?? '') : text;
      const from = Math.max(0, focusPosition) + (again ? 1 : 0);
      const found = model.typeAhead(wanted, from);
      if (found !== null) apply(movedTo(selection, model, found, { range: false, keep: false }));
      return true;
    };
    return {
      selection,
      focusPosition,
      click: (position, how) => {
        if (model !== null) apply(clicked(selection, model, position, how));
      },
      pointAt: (position) => {
        if (model === null) return;
        if (position === null) setHeld({ model, selection: cleared(selection) });
        else apply(pointedAt(selection, model.rowAt(position)));
      },
      focusRow: (row) => {
        apply({ rows: new Set([row]), focus: row, anchor: row });
      },
      selectAll: () => {
        if (model !== null) setHeld({ model, selection: allSelected(selection, model) });
      },
      press: (event, steps) => {
        if (model === null || event.altKey) return false;
        const keep = hasMainModifier(event);
        const target = positionByKey(event.key, focusPosition, model.count, steps);
        if (target !== null) {
          apply(movedTo(selection, model, target, { range: event.shiftKey, keep }));
          return true;
        }
        if (isCommand(event, 'selectAll')) {
          setHeld({ model, selection: allSelected(selection, model) });
          return true;
        }
        if (event.key === 'Escape' && selection.rows.size > 0) {
          setHeld({ model, selection: cleared(selection) });
          return true;
        }
        if (isCommand(event, 'toggleSelected') && selection.focus !== null) {
          setHeld({ model, selection: toggleSelected(selection, selection.focus) });
          return true;
        }
        // While a name is being typed, the key (Space, for example) is part of the name, not a command.
        const isWithinName = goesOn(typed.current, event.timeStamp);
        if (!isWithinName && isCommand(event, 'look')) return false;
        if (!isWithinName && isCommand(event, 'openShortcuts')) return false;
        return !event.ctrlKey && !event.metaKey && typeAhead(event);
      },
    };
  }, [model, selection, focusPosition, apply]);
}

/** Transfers the selection to a folder that was listed again. If the focused row is gone, focus stays at its position. */
export function carriedSelection(selection: Selection, from: FolderModel, to: FolderModel): Selection {
  const { rows, focus, anchor } = selection;
  if (focus === null && rows.size === 0) return nothingSelected;
  const wanted = new Set<string>();
  for (const number of [...rows, focus, anchor]) {
    const key = number === null ? undefined : from.key(number);
    if (key !== undefined) wanted.add(key);
  }
  // The key alone identifies a row here, since folders' keys end in the delimiter.
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
