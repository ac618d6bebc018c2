import type { MouseEvent } from 'react';

/** The row that a press hit: null between rows, undefined before the first press. */
type Press<Row> = Row | null | undefined;

/**
 * Remembers which row the pointer pressed. A list may be loaded again between a press and its click, which moves another row
 * under the pointer. The click then acts on the pressed row, or on nothing if that row is gone.
 */
export class PressedRow<Row> {
  readonly #isSame: (row: Row, other: Row) => boolean;
  #last: Press<Row>;
  #before: Press<Row>;

  constructor(isSame: (row: Row, other: Row) => boolean) {
    this.#isSame = isSame;
  }

  /** Records a press. Null for a press between rows. */
  press(row: Row | null): void {
    this.#before = this.#last;
    this.#last = row;
  }

  /** Returns the row on which a click acts. `under` is the row under the pointer now, for clicks without a press. */
  clicked({ detail }: Pick<MouseEvent, 'detail'>, under: Row | null): Row | null {
    // Assistive technology clicks without a press, with a detail of 0.
    return detail === 0 ? under : this.pressed(under);
  }

  /** Returns the row on which a double click acts: null unless both presses hit the same row. */
  doubleClicked(event: Pick<MouseEvent, 'detail'>, under: Row | null): Row | null {
    const row = this.clicked(event, under);
    const before = this.#before;
    if (event.detail === 0 || before === undefined || row === null) return row;
    return before !== null && this.#isSame(before, row) ? row : null;
  }

  /** Returns the row on which a menu acts. The keyboard and assistive technology open menus without a press. */
  menuOf({ nativeEvent }: Pick<MouseEvent, 'nativeEvent'>, under: Row | null): Row | null {
    // Browsers that report no pointer for a menu leave `pointerType` out.
    return 'pointerType' in nativeEvent && nativeEvent.pointerType === '' ? under : this.pressed(under);
  }

  /** Returns the row on which a drag acts. */
  pressed(under: Row | null): Row | null {
    return this.#last === undefined ? under : this.#last;
  }
}
