import { app, nativeImage, Notification, shell, type BrowserWindow } from 'electron';
import type { Shell } from '../../core/ports.ts';
import { failure } from '../../../shared/errors.ts';
import { hasFocusedWindow } from '../windows/windows.ts';
import { gatherNotices, type SystemNotice } from './notices.ts';

interface NativeShellOptions {
  readonly current: () => BrowserWindow | null;
  /** Brings a window to the front, or opens one. */
  readonly showWindow: () => void;
  readonly areNoticesEnabled: () => boolean;
  readonly onNoticeFailed: (reason: string) => void;
}

/** Returns a plain icon for systems without file icons, because macOS requires an image for a drag. */
function plainIcon() {
  const side = 16;
  return nativeImage.createFromBitmap(Buffer.alloc(side * side * 4, 0x90), { width: side, height: side });
}

/** Creates a shell that shows system notifications only while no window has focus and the user wants them. */
export function nativeShell(options: NativeShellOptions): Shell {
  const { current, areNoticesEnabled } = options;
  const show = gatherNotices(notifications(options.showWindow, options.onNoticeFailed));
  return {
    openPath: async (file) => {
      // '' means that the system opened the file.
      const problem = await shell.openPath(file);
      if (problem !== '')
        throw failure('unsupported', problem, { reason: 'edit-no-program', retry: 'after-fix' });
    },
    trashItem: async (file) => await shell.trashItem(file),
    startDrag: async (files) => {
      const [first] = files;
      const contents = current()?.webContents;
      if (first === undefined || contents === undefined) return;
      const icon = await app.getFileIcon(first, { size: 'normal' });
      contents.startDrag({ file: first, files: [...files], icon: icon.isEmpty() ? plainIcon() : icon });
    },
    revealInFolder: (file) => {
      shell.showItemInFolder(file);
      return Promise.resolve();
    },
    notify: (notice) => {
      if (hasFocusedWindow() || !areNoticesEnabled() || !Notification.isSupported()) return;
      show(notice);
    },
  };
}

/**
 * The number of latest notifications whose clicks are handled. Notification centres keep more, but a click only shows the window.
 */
const maxRetained = 100;

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
  const retained = new Set<Notification>();
  return ({ title, body }) => {
    const notification = new Notification({ title, body });
    retained.add(notification);
    for (const oldest of retained) {
      if (retained.size <= maxRetained) break;
      retained.delete(oldest);
    }
    notification.on('click', () => {
      retained.delete(notification);
      onClick();
    });
    notification.on('failed', (_event, reason) => {
      retained.delete(notification);
      onFailed(reason);
    });
    notification.show();
  };
}
