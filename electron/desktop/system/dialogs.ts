import path from 'node:path';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron';
import { z } from 'zod';
import type { Dialogs } from '../../core/ports.ts';

/**
 * Returns the system's dialogs, attached to the current window if there is one. Each opens in the folder last used for its
 * purpose.
 */
export function nativeDialogs(current: () => BrowserWindow | null, folders: DialogFolders): Dialogs {
  const open = async (purpose: DialogPurpose, options: OpenDialogOptions): Promise<readonly string[]> => {
    const last = folders.last(purpose);
    const dialogOptions = last === null ? options : { ...options, defaultPath: last };
    const window = current();
    const { canceled, filePaths } = await (window === null
      ? dialog.showOpenDialog(dialogOptions)
      : dialog.showOpenDialog(window, dialogOptions));
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
      const response =
        window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
      if (response.canceled || response.filePath === '') return null;
      folders.keep('save', path.dirname(response.filePath));
      return response.filePath;
    },
  };
}

/** The purposes of dialogs: choosing one file (to resume from, to import), files to upload, a folder, or a place to save. */
const purposes = ['file', 'files', 'folder', 'save'] as const;
type DialogPurpose = (typeof purposes)[number];

interface DialogFolders {
  /** Returns the folder last used in dialogs of this purpose; null if there is none or it no longer exists. */
  last(purpose: DialogPurpose): string | null;
  keep(purpose: DialogPurpose, folder: string): void;
}

const foldersSchema = z.partialRecord(z.enum(purposes), z.string());

/** Remembers the folders in a file, because the system remembers at most one folder for all dialogs of a program. */
export function dialogFolders(file: string, onError: (thrown: unknown) => void): DialogFolders {
  const lastFolders = new Map(Object.entries(readFolders(file)));
  return {
    last: (purpose) => {
      const folder = lastFolders.get(purpose);
      return folder !== undefined && existsSync(folder) ? folder : null;
    },
    keep: (purpose, folder) => {
      if (lastFolders.get(purpose) === folder) return;
      lastFolders.set(purpose, folder);
      try {
        writeFileSync(file, JSON.stringify(Object.fromEntries(lastFolders)), { mode: 0o600 });
      } catch (thrown) {
        onError(thrown); // The dialog itself succeeded, so this is only reported.
      }
    },
  };
}

function readFolders(file: string): Readonly<Record<string, string>> {
  try {
    return foldersSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {}; // The file is missing, or a crash truncated it. The system then chooses the folders.
  }
}
