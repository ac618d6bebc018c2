import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export interface AtomicWrite {
  /** The permissions of the file; 0o600 by default. */
  readonly mode?: number;
  /** A random text that distinguishes concurrent writers. */
  readonly suffix: string;
  /**
   * True if the file can be recreated and its reader detects damage. It is then not flushed to disk, so a power loss may damage
   * it.
   */
  readonly isReplaceable?: boolean;
}

/** Replaces a file atomically: after a crash, it has either the old or the new content. */
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

/**
 * Flushes a folder to disk, which makes a rename in it durable. Does nothing on Windows, which cannot open folders and does not
 * need this.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
