import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rowWindow, scrollToShow, trackHeight, type RowWindow, type Track } from '../../ui/virtual-scroll.ts';

export const rowHeightPx = 30;
export const headerHeightPx = 30;
/** More than the four rows that a scroll may go on before rows are drawn anew. */
const overscanRows = 6;

export interface Viewport {
  /** The element that scrolls; null while the table is not there. */
  readonly scroller: HTMLDivElement | null;
  readonly attach: (scroller: HTMLDivElement | null) => void;
  readonly window: RowWindow;
  readonly track: Track;
  readonly trackHeightPx: number;
  readonly scrollTopPx: number;
  /** To the pixel: how far the list is scrolled now. */
  readonly topPx: () => number;
  readonly widthPx: number;
  /** Whole rows that fit. */
  readonly pageRows: number;
  readonly showRow: (position: number) => void;
  readonly toTop: () => void;
}

/** Where a list begins: once for each `of`, when its first rows are there. */
export interface ViewStart {
  readonly of: string;
  readonly topPx: number;
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The size that the last table had. */
let lastSize: Size | null = null;

/** Near enough to the table's size that the first rows are drawn once, not twice. */
function likelySize(): Size {
  return lastSize ?? { widthPx: window.innerWidth - 560, heightPx: window.innerHeight - 180 };
}

/** None for the first drawing of a list: the rows in sight come first, those around them with the next frame. */
function useOverscan(startOf: string | null): number {
  const [drawn, setDrawn] = useState<string | null>(null);
  const isFirst = startOf !== null && startOf !== drawn;
  useEffect(() => {
    if (!isFirst) return undefined;
    const frame = requestAnimationFrame(() => {
      startTransition(() => {
        setDrawn(startOf);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [isFirst, startOf]);
  return isFirst ? 0 : overscanRows;
}

/** Which rows are in sight of a scrolled element. Draws again only when other rows come into sight. */
export function useViewport(rowCount: number, footerPx: number, start: ViewStart | null): Viewport {
  const [scroller, attach] = useState<HTMLDivElement | null>(null);
  const [size, setSize] = useState<Size>(likelySize);
  const [scrollTopPx, setScrollTop] = useState(start?.topPx ?? 0);
  const lastTopPx = useRef(0);
  const viewportPx = Math.max(0, size.heightPx - headerHeightPx);
  const track: Track = { rowCount, rowHeightPx, viewportPx, footerPx };
  const isScaled = trackHeight(track) < rowCount * rowHeightPx + footerPx;

  useLayoutEffect(() => {
    const element = scroller;
    if (element === null) return undefined;
    const measure = (): void => {
      // A table that comes anew begins at its top, wherever the last one was.
      setScrollTop(element.scrollTop);
      lastTopPx.current = element.scrollTop;
      const { clientWidth: widthPx, clientHeight: heightPx } = element;
      const measured = { widthPx, heightPx };
      lastSize = measured;
      setSize((size) => (size.widthPx === widthPx && size.heightPx === heightPx ? size : measured));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [scroller]);

  useEffect(() => {
    const element = scroller;
    if (element === null) return undefined;
    const scrolled = (): void => {
      const { scrollTop } = element;
      lastTopPx.current = scrollTop;
      // On a plain track rows stay where they are, so only a change of a few rows has to be drawn.
      const grainPx = isScaled ? 1 : rowHeightPx * 4;
      setScrollTop((before) =>
        Math.floor(before / grainPx) === Math.floor(scrollTop / grainPx) && scrollTop !== 0
          ? before
          : scrollTop,
      );
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      element.removeEventListener('scroll', scrolled);
    };
  }, [scroller, isScaled]);

  const latest = useRef(track);
  useLayoutEffect(() => {
    latest.current = track;
  });
  const restored = useRef<string | null>(null);
  const startOf = start?.of ?? null;
  const startPx = start?.topPx ?? 0;
  const overscan = useOverscan(startOf);
  useLayoutEffect(() => {
    if (startOf === null || restored.current === startOf || rowCount === 0 || scroller === null) return;
    restored.current = startOf;
    if (startPx === 0 && lastTopPx.current === 0) return;
    scroller.scrollTo({ top: startPx });
    lastTopPx.current = scroller.scrollTop;
    setScrollTop(scroller.scrollTop);
  }, [rowCount, scroller, startOf, startPx]);

  const showRow = useCallback(
    (position: number) => {
      if (scroller === null) return;
      const top = scrollToShow(latest.current, scroller.scrollTop, position);
      if (top !== scroller.scrollTop) scroller.scrollTo({ top });
    },
    [scroller],
  );

  return {
    scroller,
    attach,
    track,
    trackHeightPx: trackHeight(track),
    window: rowWindow(track, scrollTopPx, overscan),
    scrollTopPx,
    topPx: useCallback(() => lastTopPx.current, []),
    widthPx: size.widthPx,
    pageRows: Math.max(1, Math.floor(viewportPx / rowHeightPx) - 1),
    showRow,
    toTop: () => scroller?.scrollTo({ top: 0 }),
  };
}
