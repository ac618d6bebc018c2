import { existsSync, lstatSync, renameSync } from 'node:fs';

const asideMark = '.damaged-';

/** Returns true if a file or folder was set aside under this name. The program never reads it again. */
export function isAsideName(name: string): boolean {
  return name.includes(asideMark);
}

/** Returns a free name next to an unreadable file or folder, under which it is kept for inspection. */
export function asideName(file: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const name = `${file}${asideMark}${stamp}`;
  if (!existsSync(name)) return name;
  let copy = 2;
  while (existsSync(`${name}-${copy}`)) copy += 1;
  return `${name}-${copy}`;
}

/** Renames a file to a set-aside name and returns it. Throws the system's error on failure. */
export function setAside(file: string, nowMs: number): string {
  const name = asideName(file, nowMs);
  renameSync(file, name);
  return name;
}

/** Sets aside a folder in the place of a file; null if there is none. */
export function setFolderAside(file: string, nowMs: number): string | null {
  const isFolder = lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? setAside(file, nowMs) : null;
}
