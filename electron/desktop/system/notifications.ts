import { Notification } from 'electron';
import type { SystemNotice } from './notices.ts';

/** Clicks work on this many of the latest notifications. Notification centres keep more, but a click only shows the window. */
const maxHeld = 100;

/**
 * Returns a function that shows a notification. A click on it shows a window, even later in the system's list.
 *
 * Keeps references, since a collected Notification loses its click event (electron#12690). They outlast `close`, because Windows
 * sends that event when a notification moves into its list, where it can still be clicked.
 */
export function notifications(
  onClick: () => void,
  onFailed: (reason: string) => void,
): (notice: SystemNotice) => void {
  const held = new Set<Notification>();
  return ({ title, body }) => {
    const notification = new Notification({ title, body });
    held.add(notification);
    for (const oldest of held) {
      if (held.size <= maxHeld) break;
      held.delete(oldest);
    }
    notification.on('click', () => {
      held.delete(notification);
      onClick();
    });
    notification.on('failed', (_event, reason) => {
      held.delete(notification);
      onFailed(reason);
    });
    notification.show();
  };
}
