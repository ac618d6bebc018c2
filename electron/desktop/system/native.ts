import { app, dialog, nativeImage, Notification, shell, type BrowserWindow } from 'electron';
import type { Dialogs, Shell } from '../../core/ports.ts';
import { failure } from '../../../shared/errors.ts';

import { gatherNotices } from './notices.ts';
import { isLookedAt } from '../windows/windows.ts';

type CurrentWindow = () => BrowserWindow | null;

/** Returns the system's dialogs, attached to the current window if one is open. */
export function nativeDialogs(current: CurrentWindow): Dialogs {
  return {
    available: true,
    openFiles: async ({ title, multiple }) => {
      const properties = multiple ? (['openFile', 'multiSelections'] as const) : (['openFile'] as const);
      const options = { title, properties: [...properties] };
      const window = current();
      const answer =
        window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
      return answer.canceled ? [] : answer.filePaths;
    },
    openFolder: async ({ title }) => {
      const options = { title, properties: ['openDirectory' as const, 'createDirectory' as const] };
      const window = current();
      const answer =
        window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
      return answer.canceled ? null : (answer.filePaths[0] ?? null);
    },
    saveFile: async ({ title, suggestedName }) => {
      const options = { title, defaultPath: suggestedName };
      const window = current();
      const answer =
        window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
      return answer.canceled || answer.filePath === '' ? null : answer.filePath;
    },
  };
}

/** Returns a plain icon for systems without file icons: macOS requires an image for a drag. */
function plainIcon() {
  const side = 16;
  return nativeImage.createFromBitmap(Buffer.alloc(side * side * 4, 0x90), { width: side, height: side });
}

/** Creates a shell that shows system notifications only while no window has focus, and only while the user wants them. */
export function nativeShell(current: CurrentWindow, areNoticesWanted: () => boolean): Shell {
  const show = gatherNotices(({ title, body }) => {
    const notification = new Notification({ title, body });
    notification.on('click', () => {
      const window = current();
      window?.show();
      window?.focus();
    });
    notification.show();
  });
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
      if (isLookedAt() || !areNoticesWanted() || !Notification.isSupported()) return;
      show(notice);
    },
  };
}
