import { useEffect } from 'react';

const stackSelector = ".mantine-Notifications-root[data-position='bottom-left']";
const noticeSelector = '.mantine-Notification-root';
/** Height of the visible edges of notices behind the front notice, and of the gap below them. */
const edgePx = 10;

/**
 * Sets a CSS variable to the height of the visible notices in px, so that lists end above the notices. The height stays the same
 * while the pointer unfolds the stack.
 */
export function useNoticeRoom(): void {
  useEffect(() => {
    let stop = (): void => undefined;
    let frame = 0;
    // The stack is a portal, which mounts after the window.
    const begin = (): void => {
      const stack = document.querySelector(stackSelector);
      if (stack === null) frame = requestAnimationFrame(begin);
      else stop = followNotices(stack);
    };
    begin();
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, []);
}

function followNotices(stack: Element): () => void {
  const measure = (): void => {
    const notices = [...stack.querySelectorAll<HTMLElement>(noticeSelector)];
    const highest = Math.max(0, ...notices.map((notice) => notice.offsetHeight));
    const edges = Math.min(notices.length, 3) * edgePx;
    const heightPx = notices.length === 0 ? 0 : highest + edges + edgePx;
    document.documentElement.style.setProperty('--cooper-notices', `${String(heightPx)}px`);
  };
  const sizes = new ResizeObserver(measure);
  const children = new MutationObserver(() => {
    sizes.disconnect();
    for (const notice of stack.querySelectorAll(noticeSelector)) sizes.observe(notice);
    measure();
  });
  children.observe(stack, { childList: true, subtree: true });
  return () => {
    children.disconnect();
    sizes.disconnect();
    document.documentElement.style.removeProperty('--cooper-notices');
  };
}
