import { useCallback, useMemo, useState } from 'react';
import {
  allSelected,
  cleared,
  clicked,
  type KeySteps,
  type Modifiers,
  movedTo,
  nothingSelected,
  pointedAt,
  positionByKey,
  type Selection,
  toggleSelected,
} from '../../../ui/table/selection.ts';
import { isCommand } from '../../../ui/keyboard/commands.ts';
import { hasMainModifier, type KeyPress } from '../../../ui/keyboard/shortcuts.ts';
import {
  continuesTyping,
  nothingTyped,
  type TypedText,
  withTypedLetter,
} from '../../../ui/table/type-ahead.ts';
import type { FolderModel } from '../folder/folder-model.ts';
import type { FolderRow } from '../rows/row.ts';

/** The selection of a list, and how the mouse and keys change it. */
export interface RowsInView {
  /** The position of the focused row, or -1. */
  readonly focusPosition: number;
  readonly isSelected: (row: number) => boolean;
  /** Returns the selected rows, or none if they are not loaded. */
  readonly selectedRows: () => readonly FolderRow[];
  readonly click: (position: number, how: Modifiers) => void;
  /** Selects the target of a menu: a row, or null for the folder itself. */
  readonly pointAt: (position: number | null) => void;
  /** Handles a key. Returns true if it belongs to the selection. */
  readonly press: (event: TimedKeyPress, steps: KeySteps) => boolean;
}

export interface RowSelection extends RowsInView {
  readonly selection: Selection;
  readonly focusRow: (row: number) => void;
  readonly selectAll: () => void;
}

/**
 * The selection in a folder, and the keys that move it. Another model starts without a selection, unless it refreshes the
 * previous model.
 */
export function useSelection(model: FolderModel | null, showRow: (position: number) => void): RowSelection {
  const [modelSelection, setModelSelection] = useState<{
    readonly model: FolderModel | null;
    readonly selection: Selection;
  }>({ model, selection: nothingSelected });
  const before = model?.before ?? null;
  if (model !== null && before !== null && before === modelSelection.model)
    setModelSelection({ model, selection: transferredSelection(modelSelection.selection, before, model) });
  const selection = modelSelection.model === model ? modelSelection.selection : nothingSelected;
  const [keys] = useState(() => new RowKeys());

  const apply = useCallback(
    (next: Selection) => {
      setModelSelection({ model, selection: next });
      const at = next.focus === null || model === null ? -1 : model.positionOf(next.focus);
      if (at !== -1) showRow(at);
    },
    [model, showRow],
  );

  const focusPosition = selection.focus === null ? -1 : (model?.positionOf(selection.focus) ?? -1);

  return useMemo(() => {
    const selectAll = (): void => {
      if (model !== null) setModelSelection({ model, selection: allSelected(selection, model) });
    };
    return {
      selection,
      focusPosition,
      isSelected: (row) => selection.rows.has(row),
      selectedRows: () => [...selection.rows].flatMap((number) => model?.row(number) ?? []),
      click: (position, how) => {
        if (model !== null) apply(clicked(selection, model, position, how));
      },
      pointAt: (position) => {
        if (model === null) return;
        if (position === null) setModelSelection({ model, selection: cleared(selection) });
        else apply(pointedAt(selection, model.rowAt(position)));
      },
      focusRow: (row) => apply({ rows: new Set([row]), focus: row, anchor: row }),
      selectAll,
      press: (event, steps) => {
        if (model === null) return false;
        return keys.press(event, steps, {
          count: model.count,
          focusPosition,
          hasSelected: selection.rows.size > 0,
          moveTo: (position, how) => apply(movedTo(selection, model, position, how)),
          selectAll,
          clear: () => setModelSelection({ model, selection: cleared(selection) }),
          toggleFocused: () => {
            if (selection.focus !== null)
              setModelSelection({ model, selection: toggleSelected(selection, selection.focus) });
          },
          typeAhead: (typed, from) => model.typeAhead(typed, from),
        });
      },
    };
  }, [model, selection, focusPosition, apply, keys]);
}

/** Transfers the selection to a folder that was listed again. If the focused row is gone, focus stays at its position. */
export function transferredSelection(selection: Selection, from: FolderModel, to: FolderModel): Selection {
  const { rows, focus, anchor } = selection;
  if (focus === null && rows.size === 0) return nothingSelected;
  const keysToFind = new Set<string>();
  for (const number of [...rows, focus, anchor]) {
    const key = number === null ? undefined : from.key(number);
    if (key !== undefined) keysToFind.add(key);
  }
  // The key alone identifies a row here, since folders' keys end in the delimiter.
  const found = new Map<string, number>();
  for (let number = 0; number < to.loadedCount; number += 1) {
    const key = to.key(number) ?? '';
    if (keysToFind.has(key)) found.set(key, number);
  }
  const carry = (number: number | null): number | null =>
    number === null ? null : (found.get(from.key(number) ?? '') ?? null);
  return {
    rows: new Set([...rows].flatMap((number) => carry(number) ?? [])),
    focus: carry(focus) ?? rowAtSamePosition(focus, from, to),
    anchor: carry(anchor),
  };
}

function rowAtSamePosition(focus: number | null, from: FolderModel, to: FolderModel): number | null {
  if (focus === null || to.count === 0) return null;
  const position = Math.min(Math.max(0, from.positionOf(focus)), to.count - 1);
  return to.rowAt(position);
}

/** A key press and the time in milliseconds at which it happened, which tells whether it continues a typed name. */
interface TimedKeyPress extends KeyPress {
  readonly timeStamp: number;
}

/** The selection of a list, as keys change it. */
interface RowMoves {
  readonly count: number;
  /** -1 if no row has focus. */
  readonly focusPosition: number;
  readonly hasSelected: boolean;
  /** Moves focus to a position: selects its row alone, extends the selection, or keeps it. */
  readonly moveTo: (position: number, how: Modifiers) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  readonly toggleFocused: () => void;
  /** Returns the next position, wrapping around, at which a name starts with the typed text. */
  readonly typeAhead: (typed: string, fromPosition: number) => number | null;
}

/** Handles the keys that move the selection in a list. Remembers the name that is being typed. */
export class RowKeys {
  #typed: TypedText = nothingTyped;

  /** Handles a key. Returns true if it belongs to the selection. */
  press(event: TimedKeyPress, steps: KeySteps, moves: RowMoves): boolean {
    if (event.altKey) return false;
    const { focusPosition, count } = moves;
    const target = positionByKey(event.key, focusPosition, count, steps);
    if (target !== null) {
      if (count > 0) moves.moveTo(target, { range: event.shiftKey, keep: hasMainModifier(event) });
      return true;
    }
    if (isCommand(event, 'selectAll')) {
      moves.selectAll();
      return true;
    }
    if (event.key === 'Escape' && moves.hasSelected) {
      moves.clear();
      return true;
    }
    if (isCommand(event, 'toggleSelected') && focusPosition !== -1) {
      moves.toggleFocused();
      return true;
    }
    // While a name is being typed, the key (Space, for example) is part of the name, not a command.
    const isWithinName = continuesTyping(this.#typed, event.timeStamp);
    if (!isWithinName && isCommand(event, 'look')) return false;
    if (!isWithinName && isCommand(event, 'openShortcuts')) return false;
    return !event.ctrlKey && !event.metaKey && this.#type(event, moves);
  }

  #type({ key, timeStamp }: TimedKeyPress, { focusPosition, typeAhead, moveTo }: RowMoves): boolean {
    if (Array.from(key).length !== 1) return false;
    this.#typed = withTypedLetter(this.#typed, key, timeStamp);
    const { text } = this.#typed;
    // Typing one letter repeatedly moves to the next name that starts with it.
    const letters = Array.from(text);
    const isRepeated = letters.every((letter) => letter === letters[0]);
    const searchText = isRepeated ? (letters[0] ?? '') : text;
    const found = typeAhead(searchText, Math.max(0, focusPosition) + (isRepeated ? 1 : 0));
    if (found !== null) moveTo(found, { range: false, keep: false });
    return true;
  }
}
