import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export interface AtomicWrite {
  /** Permissions of the file; 0o600 by default. */
  readonly mode?: number;
  /** Random text that distinguishes concurrent writers. */
  readonly suffix: string;
  /** True if the file can be recreated and its reader detects damage: it is not synced, so a power loss may damage it. */
  readonly isReplaceable?: boolean;
}

/** Replaces a file atomically: after a crash it has the old content or the new, never a mixture. */
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
 * Syncs a folder, which makes a rename in it durable. Does nothing on Windows, which cannot open folders and does not need it.
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
