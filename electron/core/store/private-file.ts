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
/** SQLite gives the files beside a database the same permissions (os_unix.c, findCreateFileMode). */
const sqliteEnds = ['', '-wal', '-shm', '-journal'];

/**
 * Makes the file of a database, or narrows the one that is there, so that this account alone can open it, whatever the umask.
 * To be called before SQLite opens it. It never opens a file that is there: to close it again would give back SQLite's locks.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
  for (const end of sqliteEnds) takeOthersRights(file + end);
}

/** Makes a folder and its parents for this account alone; takes the rights of others on one that is there. */
export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  takeOthersRights(dir);
}

/** Takes the rights of others on everything of this account in a folder; `depth` 1 leaves the folders in it unread. */
export function narrowBelow(dir: string, depth = Number.POSITIVE_INFINITY): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const inside = path.join(dir, entry.name);
    takeOthersRights(inside);
    if (entry.isDirectory() && depth > 1) narrowBelow(inside, depth - 1);
  }
}

/**
 * Gives a file that others could open new storage of the same content: whoever has it open reads nothing that is written
 * from now on. To be called before its permissions are narrowed.
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

/** Skips missing files, links and files of other accounts. Windows has no such permissions. */
function takeOthersRights(name: string): void {
  if (process.platform === 'win32') return;
  try {
    const found = lstatSync(name);
    if (found.isSymbolicLink() || found.uid !== process.geteuid?.()) return;
    if ((found.mode & othersRights) !== 0) chmodSync(name, found.mode & 0o7777 & ~othersRights);
  } catch (thrown) {
    // It went away in between, as the -wal of a database that is closed does.
    if (errnoOf(thrown) !== 'ENOENT') throw thrown;
  }
}

function errnoOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : null;
}
