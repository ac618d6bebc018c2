import { useEffect } from 'react';

/** Tells the style sheets where the window's content begins, in px from its left edge: notices stay clear of the sidebar. */
export function useContentEdge(leftPx: number): void {
  useEffect(() => {
    document.documentElement.style.setProperty('--cooper-content-left', `${String(leftPx)}px`);
  }, [leftPx]);
}
