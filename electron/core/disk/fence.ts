import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  type BigIntStats,
} from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppFailure } from '../../../shared/errors.ts';

/**
 * Decides which files of this computer Cooper reads and writes for the user. Every reader and writer opens through it: a
 * file is judged by what was opened, not by a path that may mean another file a moment later.
 */

/** The data folder, which holds secrets. Plain data, so that worker threads get it too. */
export interface PrivateFolder {
  /** The real path. */
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  /** Real paths of folders in it that hold no secrets, such as copies of dropped files. */
  readonly open: readonly string[];
}

/** A file of this computer, and the folder that its content may come from. */
export interface LocalSource {
  readonly path: string;
  /** A real path; absent: the user chose the file itself. */
  readonly within?: string | undefined;
}

// A pipe would hold up the thread until something writes to it. Windows has neither of the two flags.
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const writeFlags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
const createFlags = writeFlags | constants.O_CREAT | constants.O_EXCL;

/** Returns true if a real path is a folder itself or is in it. */
export function isInside(real: string, folder: string): boolean {
  const relative = path.relative(folder, real);
  return (
    relative === '' ||
    (!path.isAbsolute(relative) && relative !== '..' && !relative.startsWith(`..${path.sep}`))
  );
}

const privateFolders = new Set<PrivateFolder>();

/**
 * Keeps the user's transfers out of a folder of the program: no read, no write, whatever path leads there. Holds for the
 * process; threads take it over with `fenceOfThread`. Returns what ends it. `open`: names in the folder that stay open.
 */
export function fenceOff(folder: string, open: readonly string[] = []): () => void {
  const real = realpathSync.native(folder);
  const { dev, ino } = statSync(real, { bigint: true });
  const fenced = { path: real, device: dev, inode: ino, open: open.map((name) => path.join(real, name)) };
  privateFolders.add(fenced);
  return () => privateFolders.delete(fenced);
}

/** Returns the private folders, for a worker thread that has to refuse the same ones. */
export function fencedFolders(): readonly PrivateFolder[] {
  return [...privateFolders];
}

export function fenceOfThread(folders: readonly PrivateFolder[]): void {
  privateFolders.clear();
  for (const folder of folders) privateFolders.add(folder);
}

/** Returns true for the data folder itself and what is in it, by a real path, however the path is written. */
export function isPrivate(real: string): boolean {
  for (const folder of privateFolders) {
    if (folder.open.some((open) => isInside(real, open))) continue;
    if (isInside(real, folder.path)) return true;
    // A disk may take other cases and forms of the same name; then the folder itself tells.
    if (isInside(foldOf(real), foldOf(folder.path)) && isBelow(real, folder)) return true;
  }
  return false;
}

/** As `isPrivate`, by the folders above too: a folder may be mounted a second time elsewhere. Slower. */
export function isPrivateAnywhere(real: string): boolean {
  if (isPrivate(real)) return true;
  for (const folder of privateFolders) {
    if (folder.open.some((open) => isInside(real, open))) continue;
    if (isBelow(real, folder)) return true;
  }
  return false;
}

/** Returns true for the data folder itself, by its number on the disk. */
export function isPrivateFolder({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  for (const folder of privateFolders) if (isFolder(folder, { dev, ino })) return true;
  return false;
}

function isFolder(folder: PrivateFolder, { dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  if (folder.device !== dev || folder.inode !== ino) return false;
  // Should the data folder have been removed, another folder may have its number by now.
  const now = statSync(folder.path, { bigint: true, throwIfNoEntry: false });
  return now?.dev === dev && now.ino === ino;
}

function isBelow(real: string, folder: PrivateFolder): boolean {
  for (let current = real; ; current = path.dirname(current)) {
    const found = statSync(current, { bigint: true, throwIfNoEntry: false });
    if (found !== undefined && isFolder(folder, found)) return true;
    if (path.dirname(current) === current) return false;
  }
}

function foldOf(filePath: string): string {
  return filePath.normalize('NFC').toLowerCase();
}

/** A second name of a private file, in a folder that is not. Files in its subfolders hold no secrets. */
function isLinkedFromPrivate({ dev, ino, nlink }: BigIntStats): boolean {
  if (nlink < 2n) return false;
  for (const folder of privateFolders) {
    if (folder.device !== dev) continue;
    for (const name of readdirSync(folder.path)) {
      const own = lstatSync(path.join(folder.path, name), { bigint: true, throwIfNoEntry: false });
      if (own?.isFile() === true && own.ino === ino && own.dev === dev) return true;
    }
  }
  return false;
}

/** Opens a file to read it. Throws an error with a code of `fenceFailure` where the file is not one for the user's transfers. */
export function openToReadSync({ path: filePath, within }: LocalSource): number {
  return checked(openSync(filePath, readFlags), filePath, within);
}

/**
 * Opens a file for writing and creates it if absent. Does not follow a link at its name. Keeps existing content, for a caller
 * that resumes.
 */
export function openToWriteSync({ path: filePath, within }: LocalSource): number {
  const made = madeOrNull(() => openSync(filePath, createFlags, 0o666));
  try {
    return checked(made ?? openSync(filePath, writeFlags), filePath, within);
  } catch (thrown) {
    // Nothing is left behind where the folder turned out to be another one.
    if (made !== null) rmSync(filePath, { force: true });
    throw thrown;
  }
}

function madeOrNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch (thrown) {
    if (isTaken(thrown)) return null;
    throw thrown;
  }
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
}

/** As `openToReadSync`, for the main thread. */
export async function openToRead({ path: filePath, within }: LocalSource): Promise<FileHandle> {
  return await checkedHandle(await open(filePath, readFlags), filePath, within);
}

/** As `openToWriteSync`, for the main thread. */
export async function openToWrite({ path: filePath, within }: LocalSource): Promise<FileHandle> {
  const made = await open(filePath, createFlags, 0o666).catch((thrown: unknown) => {
    if (isTaken(thrown)) return null;
    throw thrown;
  });
  try {
    return await checkedHandle(made ?? (await open(filePath, writeFlags)), filePath, within);
  } catch (thrown) {
    if (made !== null) await rm(filePath, { force: true });
    throw thrown;
  }
}

async function checkedHandle(
  handle: FileHandle,
  filePath: string,
  within: string | undefined,
): Promise<FileHandle> {
  try {
    checkOpen(handle.fd, filePath, within);
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

function checked(file: number, filePath: string, within: string | undefined): number {
  try {
    checkOpen(file, filePath, within);
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

/** Returns true if an open file is a private one under a second name. */
export function hasPrivateName(file: number): boolean {
  return isLinkedFromPrivate(fstatSync(file, { bigint: true }));
}

/** Judges a file that is open. */
export function checkOpen(file: number, filePath: string, within: string | undefined): void {
  if (privateFolders.size === 0 && within === undefined) return;
  const found = fstatSync(file, { bigint: true });
  const real = realPathOf(file, filePath, found);
  checkReal(real, within);
  if (isLinkedFromPrivate(found)) throw ownData();
}

/** Judges a real path. */
export function checkReal(real: string, within: string | undefined): void {
  // A single file that the user chose is worth a look at all folders above it.
  if (within === undefined ? isPrivateAnywhere(real) : isPrivate(real)) throw ownData();
  if (within !== undefined && !isInside(real, within)) throw new FenceFailure('OUTSIDE');
}

/** Linux names the path of what is open. Elsewhere the path is resolved, and has to lead to the very file that is open. */
function realPathOf(file: number, filePath: string, found: BigIntStats): string {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/self/fd/${file}`);
    } catch {
      // A container may have no /proc.
    }
  }
  const real = realpathSync.native(filePath);
  const there = statSync(real, { bigint: true });
  if (there.ino !== found.ino || there.dev !== found.dev) throw new FenceFailure('CHANGED');
  return real;
}

const messages = {
  OWN_DATA: 'This is in Cooper’s own data folder.',
  OUTSIDE: 'A link leads out of the chosen folder.',
  CHANGED: 'The file was replaced while it was opened.',
} as const;
const reasons = { OWN_DATA: 'own-data', OUTSIDE: 'link-outside', CHANGED: 'file-changed' } as const;

/** A path that is not for the user's transfers. Its code passes from a thread as a system's code does. */
class FenceFailure extends AppFailure {
  readonly code: keyof typeof messages;

  constructor(code: keyof typeof messages) {
    const base = {
      message: messages[code],
      reason: reasons[code],
      retry: 'after-fix',
      outcome: 'not-applied',
    } as const;
    super({ code: code === 'CHANGED' ? 'storage' : 'access-denied', ...base });
    this.code = code;
  }
}

/** The failure for what is in the data folder. */
export function ownData(): AppFailure {
  return new FenceFailure('OWN_DATA');
}

/** The failure for a code of this module; null: another code. */
export function fenceFailure(code: string | null): AppFailure | null {
  return code === 'OWN_DATA' || code === 'OUTSIDE' || code === 'CHANGED' ? new FenceFailure(code) : null;
}
