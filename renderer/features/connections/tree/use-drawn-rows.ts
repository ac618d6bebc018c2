import { useEffect, useState, type RefObject } from 'react';
import { drawnRows, treeRowPx, type RowRange } from '../model/drawn-rows.ts';

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
