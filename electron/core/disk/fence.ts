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
 * Decides which local files Cooper may read and write for the user. All code opens the user's files through this module. It
 * checks the opened file, because a path may lead to another file a moment later.
 */

/** The data folder, which contains secrets. Plain data, so that it can be sent to threads. */
export interface PrivateFolder {
  /** The real path. */
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  /** The real paths of its subfolders without secrets, such as copies of dropped files. */
  readonly open: readonly string[];
}

/** A local file, and the folder that must contain it. */
export interface LocalSource {
  readonly path: string;
  /** The real path of the folder that must contain the file; absent if the user chose the file itself. */
  readonly within?: string | undefined;
}

// Without O_NONBLOCK, opening a pipe would block the thread until another program writes to it. Windows has neither flag.
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const writeFlags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
const createFlags = writeFlags | constants.O_CREAT | constants.O_EXCL;

/** Returns true if a real path is the folder or is inside it. */
export function isInside(real: string, folder: string): boolean {
  const relative = path.relative(folder, real);
  return (
    relative === '' ||
    (!path.isAbsolute(relative) && relative !== '..' && !relative.startsWith(`..${path.sep}`))
  );
}

const privateFolders = new Set<PrivateFolder>();

/**
 * Excludes a folder of the program from the user's transfers: they can neither read nor write it, by any path. Applies to the
 * process; threads take it over with `fenceOfThread`. `open` names subfolders that stay accessible. Returns a function that
 * removes the exclusion.
 */
export function fenceOff(folder: string, open: readonly string[] = []): () => void {
  const real = realpathSync.native(folder);
  const { dev, ino } = statSync(real, { bigint: true });
  const fenced = { path: real, device: dev, inode: ino, open: open.map((name) => path.join(real, name)) };
  privateFolders.add(fenced);
  return () => privateFolders.delete(fenced);
}

/** Returns the private folders, so that a thread can refuse the same ones. */
export function fencedFolders(): readonly PrivateFolder[] {
  return [...privateFolders];
}

export function fenceOfThread(folders: readonly PrivateFolder[]): void {
  privateFolders.clear();
  for (const folder of folders) privateFolders.add(folder);
}

/** Returns true if a real path is in the data folder, in any letter case or Unicode form. */
export function isPrivate(real: string): boolean {
  for (const folder of privateFolders) {
    if (folder.open.some((open) => isInside(real, open))) continue;
    if (isInside(real, folder.path)) return true;
    // A disk may treat other letter cases and Unicode forms as the same name, so the folder's inode is compared.
    if (isInside(foldOf(real), foldOf(folder.path)) && isBelow(real, folder)) return true;
  }
  return false;
}

/** Like `isPrivate`, but also compares the inodes of all parent folders, because a folder may be mounted twice. Slower. */
export function isPrivateAnywhere(real: string): boolean {
  if (isPrivate(real)) return true;
  for (const folder of privateFolders) {
    if (folder.open.some((open) => isInside(real, open))) continue;
    if (isBelow(real, folder)) return true;
  }
  return false;
}

/** Returns true if device and inode are those of the data folder. */
export function isPrivateFolder({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  for (const folder of privateFolders) if (isFolder(folder, { dev, ino })) return true;
  return false;
}

/** Returns true if this folder contains the data folder, by any path. */
export function holdsPrivate(real: string): boolean {
  const holder = statSync(real, { bigint: true, throwIfNoEntry: false });
  if (holder === undefined) return false;
  for (const folder of privateFolders)
    for (let current = folder.path; ; current = path.dirname(current)) {
      const found = statSync(current, { bigint: true, throwIfNoEntry: false });
      if (found?.dev === holder.dev && found.ino === holder.ino) return true;
      if (path.dirname(current) === current) break;
    }
  return false;
}

function isFolder(folder: PrivateFolder, { dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  if (folder.device !== dev || folder.inode !== ino) return false;
  // After the data folder was removed, another folder may have its inode number.
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

/**
 * Returns true for a hard link to a private file. Checks only files directly in the data folder, because its subfolders contain
 * no secrets.
 */
function isLinkedFromPrivate({ dev, ino, nlink }: BigIntStats): boolean {
  if (nlink < 2n) return false;
  for (const folder of privateFolders) {
    if (folder.device !== dev) continue;
    for (const name of readdirSync(folder.path)) {
      const entry = lstatSync(path.join(folder.path, name), { bigint: true, throwIfNoEntry: false });
      if (entry?.isFile() === true && entry.ino === ino && entry.dev === dev) return true;
    }
  }
  return false;
}

/**
 * Opens a file for reading. Throws an error with a code that `fenceFailure` knows if the user's transfers may not use the file.
 */
export function openToReadSync({ path: filePath, within }: LocalSource): number {
  return checked(openSync(filePath, readFlags), filePath, within);
}

/**
 * Opens a file for writing and creates it if it does not exist. Does not follow a link at its name. Keeps existing content, so
 * that the caller can resume.
 */
export function openToWriteSync({ path: filePath, within }: LocalSource): number {
  const made = madeOrNull(() => openSync(filePath, createFlags, 0o666));
  try {
    return checked(made ?? openSync(filePath, writeFlags), filePath, within);
  } catch (thrown) {
    // Removes the file again if its folder was not the expected one.
    if (made !== null) rmSync(filePath, { force: true });
    throw thrown;
  }
}

function madeOrNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch (thrown) {
    if (isExistsError(thrown)) return null;
    throw thrown;
  }
}

function isExistsError(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
}

/** Like `openToReadSync`, for the main thread. */
export async function openToRead({ path: filePath, within }: LocalSource): Promise<FileHandle> {
  return await checkedHandle(await open(filePath, readFlags), filePath, within);
}

/** Like `openToWriteSync`, for the main thread. */
export async function openToWrite({ path: filePath, within }: LocalSource): Promise<FileHandle> {
  const made = await open(filePath, createFlags, 0o666).catch((thrown: unknown) => {
    if (isExistsError(thrown)) return null;
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

/** Returns true if an open file is a hard link to a private file. */
export function hasPrivateName(file: number): boolean {
  return isLinkedFromPrivate(fstatSync(file, { bigint: true }));
}

/** Throws if the user's transfers may not use an open file. */
export function checkOpen(file: number, filePath: string, within: string | undefined): void {
  if (privateFolders.size === 0 && within === undefined) return;
  const found = fstatSync(file, { bigint: true });
  const real = realPathOf(file, filePath, found);
  checkReal(real, within);
  if (isLinkedFromPrivate(found)) throw dataFolderFailure();
}

/** Throws if the user's transfers may not use a real path. */
export function checkReal(real: string, within: string | undefined): void {
  // Checking all parent folders is slow, so it is done only for single files that the user chose.
  if (within === undefined ? isPrivateAnywhere(real) : isPrivate(real)) throw dataFolderFailure();
  if (within !== undefined && !isInside(real, within)) throw new FenceFailure('OUTSIDE');
}

/** Returns the real path of an open file. Linux reports it. Elsewhere the path is resolved, and must lead to the same file. */
function realPathOf(file: number, filePath: string, found: BigIntStats): string {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/self/fd/${file}`);
    } catch {
      // A container may not have /proc.
    }
  }
  const real = realpathSync.native(filePath);
  const resolvedStats = statSync(real, { bigint: true });
  if (resolvedStats.ino !== found.ino || resolvedStats.dev !== found.dev) throw new FenceFailure('CHANGED');
  return real;
}

const messages = {
  OWN_DATA: 'This is in Cooper’s own data folder.',
  OUTSIDE: 'A link leads out of the chosen folder.',
  CHANGED: 'The file was replaced while it was opened.',
} as const;
const reasons = { OWN_DATA: 'own-data', OUTSIDE: 'link-outside', CHANGED: 'file-changed' } as const;

/** The error for a path that the user's transfers may not use. Threads pass on its code like a system error code. */
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

/** Returns the failure for a path inside the data folder. */
export function dataFolderFailure(): AppFailure {
  return new FenceFailure('OWN_DATA');
}

/** Returns the failure for a code of this module; null for other codes. */
export function fenceFailure(code: string | null): AppFailure | null {
  return code === 'OWN_DATA' || code === 'OUTSIDE' || code === 'CHANGED' ? new FenceFailure(code) : null;
}
