import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { existsSync, lstatSync, renameSync } from 'node:fs';

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

/** Returns true if the error says that a file or folder does not exist, which is usually not a failure. */
export function isAbsent(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')
  );
}

/**
 * Returns null if the file does not exist. Rethrows all other errors, because the file may contain the only copy of something.
 */
export async function absentAsNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
}

const asideMark = '.damaged-';

/**
 * Returns true if a file or folder with this name was set aside: renamed because it could not be read. The program never reads it
 * again.
 */
export function isAsideName(name: string): boolean {
  return name.includes(asideMark);
}

/** Returns a free name next to an unreadable file or folder. It is kept under that name for inspection. */
export function asideName(file: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const name = `${file}${asideMark}${stamp}`;
  if (!existsSync(name)) return name;
  let copy = 2;
  while (existsSync(`${name}-${copy}`)) copy += 1;
  return `${name}-${copy}`;
}

/** Renames an unreadable file and returns the new name. Throws the system's error on failure. */
export function setAside(file: string, nowMs: number): string {
  const name = asideName(file, nowMs);
  renameSync(file, name);
  return name;
}

/** Renames a folder that is in the place of a file, and returns the new name; null if there is none. */
export function setFolderAside(file: string, nowMs: number): string | null {
  const isFolder = lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? setAside(file, nowMs) : null;
}
