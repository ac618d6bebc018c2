import type { FileEntry } from '../../../shared/models/files.ts';
import type { Files } from '../files/files.ts';
import type { Values } from '../store/values.ts';

const name = 'download-folder';

/** Stores the folder for downloads that do not ask where to save. Its path stays in the core; the window gets a handle. */
export interface DownloadFolder {
  /** Returns the folder; null if none was chosen or it no longer exists. Each download then asks. */
  get(): Promise<FileEntry | null>;
  set(handle: string | null): Promise<FileEntry | null>;
}

export function createDownloadFolder(
  values: Values,
  files: Pick<Files, 'realPathOf' | 'dropped'>,
): DownloadFolder {
  const get = async (): Promise<FileEntry | null> => {
    const stored = values.get(name);
    if (typeof stored !== 'string') return null;
    // If the folder is on an unplugged disk, each download asks. The setting stays until the disk is back.
    const entry = await files.dropped(stored).catch(() => null);
    return entry?.kind === 'folder' ? entry : null;
  };
  return {
    get,
    set: async (handle) => {
      values.set(name, handle === null ? null : await files.realPathOf(handle));
      return await get();
    },
  };
}
