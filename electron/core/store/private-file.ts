import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const othersRights = 0o077;
/**
 * The endings of the database file and of the files that SQLite creates next to it, with the same permissions (os_unix.c,
 * findCreateFileMode).
 */
const sqliteEnds = ['', '-wal', '-shm', '-journal'];

/**
 * Creates the database file, or restricts the permissions of an existing one, so that only this account can open it, for any
 * umask. Must be called before SQLite opens the file. Never opens an existing file, because closing it would release SQLite's
 * locks.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
  for (const end of sqliteEnds) takeOthersRights(file + end);
}

/** Creates a folder and its parents for this account only. On an existing folder, revokes the permissions of others. */
export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  takeOthersRights(dir);
}

/**
 * Revokes the permissions of others on all files and folders of this account in a folder. `depth` 1 does not enter subfolders.
 */
export function narrowBelow(dir: string, depth = Number.POSITIVE_INFINITY): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const inside = path.join(dir, entry.name);
    takeOthersRights(inside);
    if (entry.isDirectory() && depth > 1) narrowBelow(inside, depth - 1);
  }
}

/**
 * Replaces a file by a private copy if other users could open it. A process that has the old file open then cannot read later
 * writes. Must be called before the permissions are restricted.
 */
export function renewIfOpenToOthers(file: string): void {
  if (process.platform === 'win32') return;
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || (found.mode & othersRights) === 0) return;
  const renewed = `${file}.renewed`;
  rmSync(renewed, { force: true });
  writeFileSync(renewed, readFileSync(file), { mode: 0o600, flag: 'wx' });
  renameSync(renewed, file);
}

/** Revokes the permissions of others. Skips missing files, links and files of other accounts. Windows has no such permissions. */
function takeOthersRights(name: string): void {
  if (process.platform === 'win32') return;
  try {
    const found = lstatSync(name);
    if (found.isSymbolicLink() || found.uid !== process.geteuid?.()) return;
    if ((found.mode & othersRights) !== 0) chmodSync(name, found.mode & 0o7777 & ~othersRights);
  } catch (thrown) {
    // The file disappeared meanwhile, as the -wal file of a closed database does.
    if (errnoOf(thrown) !== 'ENOENT') throw thrown;
  }
}

function errnoOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : null;
}
