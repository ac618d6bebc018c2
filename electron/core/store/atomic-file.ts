import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export interface AtomicWrite {
  /** Access rights of the file; 0o600 unless said otherwise. */
  readonly mode?: number;
  /** Distinguishes writers; a random text. */
  readonly suffix: string;
  /** It can be made again, and its reader can tell whether it is whole: after a loss of power it may be damaged. */
  readonly isReplaceable?: boolean;
}

/** Replaces a file as a whole: after a crash there is the old content or the new, never a mixture. */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  options: AtomicWrite,
): Promise<void> {
  const temporary = `${file}.${options.suffix}.new`;
  try {
    const handle = await open(temporary, 'wx', options.mode ?? 0o600);
    try {
      await handle.writeFile(content);
      if (options.isReplaceable !== true) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
  if (options.isReplaceable !== true) await syncFolder(path.dirname(file));
}

/** The rename itself is on disk only once the folder is; Windows cannot open folders, and needs no such thing. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
