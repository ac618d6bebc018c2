import { Notification } from 'electron';
import type { SystemNotice } from './notices.ts';

/** Notification centres keep more, but an old notice leads nowhere that the window does not show. */
const maxHeld = 100;

/**
 * Returns a function that shows a notification. A click on it shows a window, also if it is clicked later in the system's list.
 *
 * Each is held here: Electron's object is collected otherwise, and the click with it (electron#12690). `close` does not end
 * that, because Windows sends it when a notice moves into its list, where it can still be clicked.
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
