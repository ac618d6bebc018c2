import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rowWindow, scrollToShow, trackHeight, type RowWindow, type Track } from '../../ui/virtual-scroll.ts';

export const rowHeightPx = 30;
export const headerHeightPx = 30;
const overscanRows = 10;

export interface Viewport {
  /** The element that scrolls; null while the table is not there. */
  readonly scroller: HTMLDivElement | null;
  readonly attach: (scroller: HTMLDivElement | null) => void;
  readonly window: RowWindow;
  readonly track: Track;
  readonly trackHeightPx: number;
  readonly scrollTopPx: number;
  readonly widthPx: number;
  /** Whole rows that fit. */
  readonly pageRows: number;
  readonly showRow: (position: number) => void;
  readonly toTop: () => void;
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Near enough to the table's size that the first rows are drawn once, not twice. */
function likelySize(): Size {
  return { widthPx: window.innerWidth - 560, heightPx: window.innerHeight - 180 };
}

/** Which rows are in sight of a scrolled element. Draws again only when other rows come into sight. */
export function useViewport(rowCount: number, footerPx: number, startPx: number): Viewport {
  const [scroller, attach] = useState<HTMLDivElement | null>(null);
  const [size, setSize] = useState<Size>(likelySize);
  const [scrollTopPx, setScrollTop] = useState(startPx);
  const viewportPx = Math.max(0, size.heightPx - headerHeightPx);
  const track: Track = { rowCount, rowHeightPx, viewportPx, footerPx };
  const isScaled = trackHeight(track) < rowCount * rowHeightPx + footerPx;

  useLayoutEffect(() => {
    const element = scroller;
    if (element === null) return undefined;
    const measure = (): void => {
      // A table that comes anew begins at its top, wherever the last one was.
      setScrollTop(element.scrollTop);
      setSize({ widthPx: element.clientWidth, heightPx: element.clientHeight });
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
  const restored = useRef(false);
  useLayoutEffect(() => {
    if (restored.current || rowCount === 0 || scroller === null) return;
    restored.current = true;
    scroller.scrollTo({ top: startPx });
    setScrollTop(scroller.scrollTop);
  }, [rowCount, scroller, startPx]);

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
    window: rowWindow(track, scrollTopPx, overscanRows),
    scrollTopPx,
    widthPx: size.widthPx,
    pageRows: Math.max(1, Math.floor(viewportPx / rowHeightPx) - 1),
    showRow,
    toTop: () => scroller?.scrollTo({ top: 0 }),
  };
}
