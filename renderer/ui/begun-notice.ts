import { notifications } from '@mantine/notifications';

const id = 'begun';

/** Says that work has begun: one notice, which leaves when something better can be said of it. */
export function sayBegun(message: string): void {
  leaveBegun();
  notifications.show({ id, message, autoClose: 5000 });
}

/** The work has ended, and a notice of its own says so. */
export function leaveBegun(): void {
  notifications.hide(id);
}
