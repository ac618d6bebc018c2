import { useEffect, useState, type RefObject, useLayoutEffect, useRef } from 'react';

/** The height of a row of the tree in pixels, as in connections.module.css. */
export const treeRowPx = 28;

/** The number of rows up to which all are rendered, so that the browser finds each of them by its text. */
export const maxWholeTree = 200;
const overscanRows = 20;
/** The maximum number of rows rendered of a longer tree, besides the kept ones. A taller screen shows no more. */
const maxDrawn = 160;

interface RowRange {
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

const nothing: RowRange = { first: 0, end: 0 };

/**
 * Returns the indexes of the rows to render. Renders again only when the visible part reaches other rows. `kept` rows are always
 * rendered: they have focus, are current, or are being dragged.
 */
export function useDrawnRows(
  tree: RefObject<HTMLElement | null>,
  rowCount: number,
  kept: readonly number[],
): readonly number[] {
  const [visible, setVisible] = useState(nothing);
  useEffect(() => {
    const element = tree.current;
    const scroller = scrollerOf(element);
    if (element === null || scroller === null) return undefined;
    const look = (): void => {
      const topPx = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const first = Math.floor(topPx / treeRowPx);
      const end = Math.ceil((topPx + scroller.clientHeight) / treeRowPx);
      setVisible((now) => (now.first === first && now.end === end ? now : { first, end }));
    };
    // The tree also moves when the sections above it change their size.
    const observer = new ResizeObserver(look);
    for (const box of [scroller, ...scroller.children]) observer.observe(box);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [tree]);
  return drawnRows(rowCount, visible, kept);
}

/** Returns the nearest ancestor that scrolls. */
function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  const parent = element?.parentElement ?? null;
  if (parent === null || /auto|scroll/u.test(getComputedStyle(parent).overflowY)) return parent;
  return scrollerOf(parent);
}

interface RowFocus {
  readonly focusedId: string | null;
  /** The rendered rows by id. */
  readonly elements: RefObject<Map<string, HTMLElement>>;
  readonly onFocus: (rowId: string) => void;
  /** Focuses a row. A row that is not rendered yet is focused once it is. */
  readonly focus: (rowId: string) => void;
}

/** Tracks which row of the tree has focus. The tree renders the row with this id, wherever the user has scrolled to. */
export function useRowFocus(): RowFocus {
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const elements = useRef(new Map<string, HTMLElement>());
  const awaited = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = awaited.current === null ? undefined : elements.current.get(awaited.current);
    if (element === undefined) return;
    awaited.current = null;
    element.focus();
  });
  const focus = (rowId: string): void => {
    setFocusedId(rowId);
    const element = elements.current.get(rowId);
    awaited.current = element === undefined ? rowId : null;
    element?.focus();
  };
  return { focusedId, elements, onFocus: setFocusedId, focus };
}
