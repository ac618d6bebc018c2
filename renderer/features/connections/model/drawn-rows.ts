/** The height of a row of the tree in pixels, as in connections.module.css. */
export const treeRowPx = 28;

/** The number of rows up to which all are rendered, so that the browser finds each of them by its text. */
export const maxWholeTree = 200;
const overscanRows = 20;
/** The maximum number of rows rendered of a longer tree, besides the kept ones. A taller screen shows no more. */
const maxDrawn = 160;

export interface RowRange {
  readonly first: number;
  /** The index after the last row. */
  readonly end: number;
}

/**
 * Returns the indexes of the rows to render, in order: all rows of a short tree, otherwise those near the visible part and the
 * kept ones.
 */
export function drawnRows(count: number, visible: RowRange, kept: readonly number[]): readonly number[] {
  if (count <= maxWholeTree) return Array.from({ length: count }, (_, index) => index);
  const first = Math.max(0, Math.min(visible.first, count) - overscanRows);
  const end = Math.min(count, Math.max(0, visible.end) + overscanRows, first + maxDrawn);
  const near = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  const others = kept.filter((index) => index >= 0 && index < count && (index < first || index >= end));
  return [...near, ...new Set(others)].toSorted((left, right) => left - right);
}
