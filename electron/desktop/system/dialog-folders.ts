import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** The purposes of dialogs: choosing one file (to resume from, to import), files to upload, a folder, or a place to save. */
const purposes = ['file', 'files', 'folder', 'save'] as const;
export type DialogPurpose = (typeof purposes)[number];

export interface DialogFolders {
  /** Returns the folder last used in dialogs of this purpose; null if there is none or it no longer exists. */
  last(purpose: DialogPurpose): string | null;
  keep(purpose: DialogPurpose, folder: string): void;
}

const keptSchema = z.partialRecord(z.enum(purposes), z.string());

/** Remembers the folders in a file, because the system remembers at most one folder for all dialogs of a program. */
export function dialogFolders(file: string, onError: (thrown: unknown) => void): DialogFolders {
  const kept = new Map(Object.entries(read(file)));
  return {
    last: (purpose) => {
      const folder = kept.get(purpose);
      return folder !== undefined && existsSync(folder) ? folder : null;
    },
    keep: (purpose, folder) => {
      if (kept.get(purpose) === folder) return;
      kept.set(purpose, folder);
      try {
        writeFileSync(file, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600 });
      } catch (thrown) {
        onError(thrown); // The dialog itself succeeded, so this is only reported.
      }
    },
  };
}

function read(file: string): Readonly<Record<string, string>> {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {}; // The file is missing, or a crash truncated it. The system then chooses the folders.
  }
}
