import { existsSync, lstatSync, renameSync } from 'node:fs';

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
