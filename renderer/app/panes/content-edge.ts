import { useEffect } from 'react';

/** Tells the style sheets where the window's content begins, in px from its left edge: notices stay clear of the sidebar. */
export function useContentEdge(leftPx: number): void {
  useEffect(() => {
    document.documentElement.style.setProperty('--cooper-content-left', `${String(leftPx)}px`);
  }, [leftPx]);
}

/** A ref of the lists: tells the style sheets how much of the window is below them, so that notices stay clear of the transfers. */
export function followContentBottom(lists: HTMLElement | null): (() => void) | undefined {
  if (lists === null) return undefined;
  const observer = new ResizeObserver(() => {
    const belowPx = Math.max(0, window.innerHeight - lists.getBoundingClientRect().bottom);
    document.documentElement.style.setProperty('--cooper-content-bottom', `${String(Math.round(belowPx))}px`);
  });
  observer.observe(lists);
  return () => {
    observer.disconnect();
  };
}
