/** The order of the visible rows. Rows have permanent numbers, while their positions change with sorting and filtering. */
export interface RowOrder {
  readonly count: number;
  rowAt(position: number): number;
  /** -1 if the filter hides the row. */
  positionOf(row: number): number;
}

export interface Selection {
  readonly rows: ReadonlySet<number>;
  /** The focused row. */
  readonly focus: number | null;
  /** The row at which a range starts. */
  readonly anchor: number | null;
}

export const nothingSelected: Selection = { rows: new Set(), focus: null, anchor: null };

export interface Modifiers {
  /** True to select the range from the anchor (Shift). */
  readonly range: boolean;
  /** True to keep the previous selection (Ctrl, or Cmd on a Mac). */
  readonly keep: boolean;
}

export const plain: Modifiers = { range: false, keep: false };

function rangeRows(order: RowOrder, from: number, to: number): Set<number> {
  const rows = new Set<number>();
  for (let position = Math.min(from, to); position <= Math.max(from, to); position += 1)
    rows.add(order.rowAt(position));
  return rows;
}

function extended(selection: Selection, order: RowOrder, position: number, keep: boolean): Selection {
  const anchor = selection.anchor ?? selection.focus ?? order.rowAt(position);
  const from = order.positionOf(anchor);
  const range = rangeRows(order, from === -1 ? position : from, position);
  const rows = keep ? new Set([...selection.rows, ...range]) : range;
  return { rows, focus: order.rowAt(position), anchor };
}

/** Returns the selection after a click on the row at a position. */
export function clicked(selection: Selection, order: RowOrder, position: number, how: Modifiers): Selection {
  const row = order.rowAt(position);
  if (how.range) return extended(selection, order, position, how.keep);
  if (how.keep) return toggleSelected(selection, row);
  return { rows: new Set([row]), focus: row, anchor: row };
}

/**
 * Returns the selection when a context menu opens on a row. It is unchanged if it includes the row, otherwise it is only the row.
 */
export function pointedAt(selection: Selection, row: number): Selection {
  if (selection.rows.has(row)) return { ...selection, focus: row };
  return { rows: new Set([row]), focus: row, anchor: row };
}

export function toggleSelected(selection: Selection, row: number): Selection {
  const rows = new Set(selection.rows);
  if (!rows.delete(row)) rows.add(row);
  return { rows, focus: row, anchor: row };
}

/** Moves focus to a position. Selects the row alone, extends the selection (Shift), or selects nothing new (Ctrl). */
export function movedTo(selection: Selection, order: RowOrder, position: number, how: Modifiers): Selection {
  if (order.count === 0) return selection;
  const target = Math.max(0, Math.min(order.count - 1, position));
  if (how.range) return extended(selection, order, target, how.keep);
  const row = order.rowAt(target);
  if (how.keep) return { ...selection, focus: row };
  return { rows: new Set([row]), focus: row, anchor: row };
}

export function allSelected(selection: Selection, order: RowOrder): Selection {
  if (order.count === 0) return selection;
  const first = order.rowAt(0);
  return {
    rows: rangeRows(order, 0, order.count - 1),
    focus: selection.focus ?? first,
    anchor: selection.anchor ?? first,
  };
}

export function cleared(selection: Selection): Selection {
  return { rows: new Set(), focus: selection.focus, anchor: null };
}

/** The distances that keys move by. */
export interface KeySteps {
  /** Rows per line: 1 in a list. */
  readonly perLine: number;
  readonly pageLines: number;
}

/** Returns the position to which a key moves, or null for any other key. */
export function positionByKey(
  key: string,
  focusPosition: number,
  count: number,
  { perLine, pageLines }: KeySteps,
): number | null {
  const last = count - 1;
  const at = focusPosition;
  switch (key) {
    case 'ArrowDown':
      return at === -1 ? 0 : below(at, last, perLine);
    case 'ArrowUp':
      return at === -1 ? last : at < perLine ? at : at - perLine;
    case 'ArrowRight':
      return perLine === 1 ? null : Math.min(last, at + 1);
    case 'ArrowLeft':
      return perLine === 1 ? null : at === -1 ? last : Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'PageDown':
      return Math.min(last, Math.max(at, 0) + pageLines * perLine);
    case 'PageUp':
      return Math.max(0, at - pageLines * perLine);
    default:
      return null;
  }
}

/** Returns the position one line down. If the last line is too short, returns its last row. */
function below(at: number, last: number, perLine: number): number {
  const isLastLine = Math.floor(at / perLine) === Math.floor(last / perLine);
  return isLastLine ? at : Math.min(last, at + perLine);
}
