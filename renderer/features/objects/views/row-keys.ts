import { isCommand } from '../../../ui/keyboard/commands.ts';
import { hasMainModifier, type KeyPress } from '../../../ui/keyboard/shortcuts.ts';
import { positionByKey, type KeySteps, type Modifiers } from '../../../ui/table/selection.ts';
import {
  continuesTyping,
  nothingTyped,
  withTypedLetter,
  type TypedText,
} from '../../../ui/table/type-ahead.ts';

/** A key press and the time in milliseconds at which it happened, which tells whether it continues a typed name. */
export interface TimedKeyPress extends KeyPress {
  readonly timeStamp: number;
}

/** The selection of a list, as keys change it. */
export interface RowMoves {
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
    const again = letters.every((letter) => letter === letters[0]);
    const wanted = again ? (letters[0] ?? '') : text;
    const found = typeAhead(wanted, Math.max(0, focusPosition) + (again ? 1 : 0));
    if (found !== null) moveTo(found, { range: false, keep: false });
    return true;
  }
}
