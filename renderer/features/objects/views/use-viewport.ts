import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { headerPx } from '../../../ui/table/grid-header.tsx';
import {
  lineAt,
  rowWindow,
  scrollToLine,
  scrollToShow,
  trackHeight,
  type RowWindow,
  type Track,
} from '../../../ui/table/virtual-scroll.ts';

/** The layout of rows in lines of one height. */
export interface Lines {
  readonly perLine: number;
  readonly heightPx: number;
  /** Height of the header above the scrolling lines. */
  readonly headerPx: number;
  /** Scroll distance after which rows are rendered again. */
  readonly grainPx: number;
  /** Number of lines rendered above and below the visible lines. Their height must exceed `grainPx`. */
  readonly overscan: number;
}

/** The layout of the list view. */
export const listLines: Lines = { perLine: 1, heightPx: 30, headerPx, grainPx: 120, overscan: 6 };

export interface Viewport {
  /** The scrolling element, or null until the table has mounted. */
  readonly scroller: HTMLDivElement | null;
  readonly attach: (scroller: HTMLDivElement | null) => void;
  readonly lines: Lines;
  /** The positions to render. */
  readonly window: RowWindow;
  /** The visible positions, accurate to `grainPx`. */
  readonly sight: { readonly first: number; readonly end: number };
  readonly track: Track;
  readonly trackHeightPx: number;
  readonly scrollTopPx: number;
  /** The exact scroll position in pixels. */
  readonly topPx: () => number;
  /** The first visible position. */
  readonly topPosition: () => number;
  readonly widthPx: number;
  /** Number of whole lines that fit. */
  readonly pageLines: number;
  readonly showRow: (position: number) => void;
  readonly toTop: () => void;
}

/** The initial scroll position of a list. It is applied once for each `of`, when the first rows have loaded. */
export interface ViewStart {
  readonly of: string;
  readonly topPx: number;
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The size of the table that was mounted last. */
let lastSize: Size | null = null;

/** Estimate of the table's size, so that the first rows usually render once, not twice. */
function likelySize(): Size {
  return lastSize ?? { widthPx: window.innerWidth - 560, heightPx: window.innerHeight - 180 };
}

/** Returns false for the first render of a list. Visible rows thus render first, and the rows around them in the next frame. */
function useOverscan(startOf: string | null): boolean {
  const [drawn, setDrawn] = useState<string | null>(null);
  const isFirst = startOf !== null && startOf !== drawn;
  useEffect(() => {
    if (!isFirst) return undefined;
    const frame = requestAnimationFrame(() => {
      startTransition(() => setDrawn(startOf));
    });
    return () => cancelAnimationFrame(frame);
  }, [isFirst, startOf]);
  return !isFirst;
}

/** Tracks which rows in a scrolling element are visible. Re-renders only when these rows change. */
export function useViewport(
  count: number,
  linesOf: (widthPx: number) => Lines,
  footerPx: number,
  start: ViewStart | null,
): Viewport {
  const [scroller, attach] = useState<HTMLDivElement | null>(null);
  const [size, setSize] = useState<Size>(likelySize);
  const [scrollTopPx, setScrollTop] = useState(start?.topPx ?? 0);
  const lastTopPx = useRef(0);
  const topPosition = useRef(0);
  const lines = linesOf(size.widthPx);
  const { perLine, heightPx, headerPx, grainPx } = lines;
  const viewportPx = Math.max(0, size.heightPx - headerPx);
  const rowCount = Math.ceil(count / perLine);
  const track: Track = { rowCount, rowHeightPx: heightPx, viewportPx, footerPx };
  const isScaled = trackHeight(track) < rowCount * heightPx + footerPx;
  const latest = useRef({ track, perLine });
  useLayoutEffect(() => {
    latest.current = { track, perLine };
  });

  useLayoutEffect(() => {
    const element = scroller;
    if (element === null) return undefined;
    const measure = (): void => {
      // A newly mounted table starts at its top, whatever the scroll position of the previous table was.
      setScrollTop(element.scrollTop);
      lastTopPx.current = element.scrollTop;
      const measured = { widthPx: element.clientWidth, heightPx: element.clientHeight };
      lastSize = measured;
      setSize((before) =>
        before.widthPx === measured.widthPx && before.heightPx === measured.heightPx ? before : measured,
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  useEffect(() => {
    const element = scroller;
    if (element === null) return undefined;
    const scrolled = (): void => {
      const { scrollTop } = element;
      lastTopPx.current = scrollTop;
      const { current } = latest;
      const line = lineAt(current.track, scrollTop);
      if (Math.floor(topPosition.current / current.perLine) !== line)
        topPosition.current = line * current.perLine;
      // Without scaling, rows keep their position, so scrolling within a grain needs no render.
      const stepPx = isScaled ? 1 : grainPx;
      setScrollTop((before) =>
        Math.floor(before / stepPx) === Math.floor(scrollTop / stepPx) && scrollTop !== 0
          ? before
          : scrollTop,
      );
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => element.removeEventListener('scroll', scrolled);
  }, [scroller, isScaled, grainPx]);

  const drawnAs = useRef({ perLine, heightPx });
  useLayoutEffect(() => {
    const { current } = drawnAs;
    if (scroller === null || (current.perLine === perLine && current.heightPx === heightPx)) return;
    // Keeps the same rows visible after a change of the layout.
    drawnAs.current = { perLine, heightPx };
    scroller.scrollTo({ top: scrollToLine(latest.current.track, Math.floor(topPosition.current / perLine)) });
    lastTopPx.current = scroller.scrollTop;
    setScrollTop(scroller.scrollTop);
  }, [scroller, perLine, heightPx]);
  const restored = useRef<string | null>(null);
  const startOf = start?.of ?? null;
  const startPx = start?.topPx ?? 0;
  const hasOverscan = useOverscan(startOf);
  useLayoutEffect(() => {
    if (startOf === null || restored.current === startOf || rowCount === 0 || scroller === null) return;
    restored.current = startOf;
    topPosition.current = lineAt(latest.current.track, startPx) * latest.current.perLine;
    if (startPx === 0 && lastTopPx.current === 0) return;
    scroller.scrollTo({ top: startPx });
    lastTopPx.current = scroller.scrollTop;
    setScrollTop(scroller.scrollTop);
  }, [rowCount, scroller, startOf, startPx]);

  const showRow = useCallback(
    (position: number) => {
      if (scroller === null) return;
      const { track, perLine } = latest.current;
      const top = scrollToShow(track, scroller.scrollTop, Math.floor(position / perLine));
      if (top !== scroller.scrollTop) scroller.scrollTo({ top });
    },
    [scroller],
  );

  const inLines = rowWindow(track, scrollTopPx, hasOverscan ? lines.overscan : 0);
  const inSight = rowWindow(track, scrollTopPx, 0);
  const positionOf = (line: number): number => Math.min(count, line * perLine);
  return {
    scroller,
    attach,
    lines,
    sight: { first: positionOf(inSight.first), end: positionOf(inSight.end) },
    track,
    trackHeightPx: trackHeight(track),
    window: { first: positionOf(inLines.first), end: positionOf(inLines.end), offsetPx: inLines.offsetPx },
    scrollTopPx,
    topPx: useCallback(() => lastTopPx.current, []),
    topPosition: useCallback(() => topPosition.current, []),
    widthPx: size.widthPx,
    pageLines: Math.max(1, Math.floor(viewportPx / heightPx) - 1),
    showRow,
    toTop: () => scroller?.scrollTo({ top: 0 }),
  };
}
