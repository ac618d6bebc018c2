import type { FileEntry } from '../../../shared/models/files.ts';
import type { Files } from '../files/files.ts';
import type { Values } from '../store/values.ts';

const name = 'download-folder';

/** Stores the folder for downloads that ask no question. The path stays in the core; the window holds a handle. */
export interface DownloadFolder {
  /** Returns null if none was chosen or it no longer exists; each download then asks. */
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
    // For a folder on an unplugged disk each download asks. The folder stays stored until the disk is back.
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
