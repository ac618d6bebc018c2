import path from 'node:path';
import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron';
import type { Dialogs } from '../../core/ports.ts';
import type { DialogFolders, DialogPurpose } from './dialog-folders.ts';

/**
 * Returns the system's dialogs, attached to the current window if there is one. Each opens in the folder last used for its
 * purpose.
 */
export function nativeDialogs(current: () => BrowserWindow | null, folders: DialogFolders): Dialogs {
  const open = async (purpose: DialogPurpose, options: OpenDialogOptions): Promise<readonly string[]> => {
    const last = folders.last(purpose);
    const asked = last === null ? options : { ...options, defaultPath: last };
    const window = current();
    const { canceled, filePaths } = await (window === null
      ? dialog.showOpenDialog(asked)
      : dialog.showOpenDialog(window, asked));
    const [first] = filePaths;
    if (canceled || first === undefined) return [];
    folders.keep(purpose, purpose === 'folder' ? first : path.dirname(first));
    return filePaths;
  };
  return {
    available: true,
    openFiles: async ({ title, multiple }) =>
      await open(multiple ? 'files' : 'file', {
        title,
        properties: multiple ? ['openFile', 'multiSelections'] : ['openFile'],
      }),
    openFolder: async ({ title }) => {
      const [first] = await open('folder', { title, properties: ['openDirectory', 'createDirectory'] });
      return first ?? null;
    },
    saveFile: async ({ title, suggestedName }) => {
      const last = folders.last('save');
      const options = { title, defaultPath: last === null ? suggestedName : path.join(last, suggestedName) };
      const window = current();
      const answer =
        window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
      if (answer.canceled || answer.filePath === '') return null;
      folders.keep('save', path.dirname(answer.filePath));
      return answer.filePath;
    },
  };
}
