import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';

/** The number of rows up to which all are rendered, so that the browser finds each of them by its text. */
export const maxWholeList = 200;
const overscanRows = 20;
/** The maximum number of rows rendered of a longer list, besides the pinned ones. A taller screen shows no more. */
const maxRendered = 160;

interface RowRange {
  readonly first: number;
  /** The index after the last row. */
  readonly end: number;
}

const nothing: RowRange = { first: 0, end: 0 };

/**
 * Returns the indexes of the rows to render, in order: all rows of a short list, otherwise those near the visible part and the
 * pinned ones.
 */
export function renderedRows(count: number, visible: RowRange, pinned: readonly number[]): readonly number[] {
  if (count <= maxWholeList) return Array.from({ length: count }, (_, index) => index);
  const first = Math.max(0, Math.min(visible.first, count) - overscanRows);
  const end = Math.min(count, Math.max(0, visible.end) + overscanRows, first + maxRendered);
  const near = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  const others = pinned.filter((index) => index >= 0 && index < count && (index < first || index >= end));
  return [...near, ...new Set(others)].toSorted((left, right) => left - right);
}

interface RenderedRowsOptions {
  readonly rowCount: number;
  /** The height of every row of a long list. */
  readonly rowPx: number;
  /** Rows that are always rendered, for example because they have focus. */
  readonly pinned: readonly number[];
}

interface RenderedRows {
  readonly indexes: readonly number[];
  /** Gives a long list its height. A short list is laid out by the browser. */
  readonly listStyle: CSSProperties | undefined;
  /** Returns the position of a row in a long list. Null in a short list. */
  readonly topOf: (index: number) => number | null;
}

/** Returns the attributes that position a row of a long list. */
export function placedAt(topPx: number | null): object {
  return topPx === null ? {} : { 'data-placed': true, style: { top: topPx } };
}

/**
 * Returns the rows to render of a list within a larger element that scrolls. Renders again only when the visible part reaches
 * other rows. The rows of a long list are positioned absolutely within `list`.
 */
export function useRenderedRows(
  list: RefObject<HTMLElement | null>,
  { rowCount, rowPx, pinned }: RenderedRowsOptions,
): RenderedRows {
  const [visible, setVisible] = useState(nothing);
  useEffect(() => {
    const element = list.current;
    const scroller = scrollerOf(element);
    if (element === null || scroller === null) return undefined;
    const look = (): void => {
      const topPx = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const first = Math.floor(topPx / rowPx);
      const end = Math.ceil((topPx + scroller.clientHeight) / rowPx);
      setVisible((now) => (now.first === first && now.end === end ? now : { first, end }));
    };
    // The list also moves when the content above it changes its size.
    const observer = new ResizeObserver(look);
    for (const box of [scroller, ...scroller.children]) observer.observe(box);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [list, rowPx]);
  const isLong = rowCount > maxWholeList;
  return {
    indexes: renderedRows(rowCount, visible, pinned),
    listStyle: isLong ? { height: rowCount * rowPx } : undefined,
    topOf: (index) => (isLong ? index * rowPx : null),
  };
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

/** Tracks which row of a list has focus. The list renders the row with this id, wherever the user has scrolled to. */
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
