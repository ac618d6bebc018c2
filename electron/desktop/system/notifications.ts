import { Notification } from 'electron';
import type { SystemNotice } from './notices.ts';

/**
 * The number of latest notifications whose clicks are handled. Notification centres keep more, but a click only shows the window.
 */
const maxHeld = 100;

/**
 * Returns a function that shows a notification. A click on it shows a window, even later from the system's list.
 *
 * Keeps references, because a collected Notification loses its click event (electron#12690). They are kept after `close`, because
 * Windows sends that event when a notification moves to its list, where it can still be clicked.
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
