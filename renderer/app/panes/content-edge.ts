import { useEffect } from 'react';

/** Sets a CSS variable to the left edge of the content in px, so that notices do not cover the sidebar. */
export function useContentEdge(leftPx: number): void {
  useEffect(() => {
    document.documentElement.style.setProperty('--cooper-content-left', `${String(leftPx)}px`);
  }, [leftPx]);
}

/** A ref callback for the lists. Sets a CSS variable to the height below them, so that notices do not cover the transfers. */
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
