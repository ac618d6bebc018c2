import type { Dirent } from 'node:fs';
import { readdir, realpath, stat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isInside, isPrivate, isPrivateAnywhere } from '../disk/fence.ts';
import { inParallel } from '../flow/loops.ts';
import { throwLocalNameFailure } from './local-names.ts';
import { failure } from '../../../shared/errors.ts';
import type { KnownFile } from './handles.ts';

/** The limits for the paths that one call may return. Read once per call. */
export interface Limits {
  readonly roots: readonly string[];
  readonly showHidden: boolean;
}

/** A visible entry of a folder. `target` is its path with links resolved. */
export interface Shown {
  readonly name: string;
  readonly target: string;
  readonly isFolder: boolean;
}

export interface FolderContent {
  readonly shown: readonly Shown[];
  readonly leftOut: number;
}

/** Returns true if the path is below a root, not in a hidden folder (unless those are shown), and not in the data folder. */
export function isPickable(real: string, { roots, showHidden }: Limits): boolean {
  if (isPrivate(real)) return false;
  return roots.some(
    (root) =>
      isInside(real, root) &&
      (showHidden ||
        !path
          .relative(root, real)
          .split(path.sep)
          .some((segment) => segment.startsWith('.'))),
  );
}

/**
 * Resolves a path and returns it if it is allowed; null otherwise. Links must not lead out of the roots, into a hidden folder, or
 * into the data folder.
 */
export async function resolvePickable(filePath: string, within: Limits): Promise<string | null> {
  const real = await realpath(filePath).catch(() => null);
  if (real === null) return null;
  return isPickable(real, within) ? real : null;
}

const maxParallelStats = 32;

/**
 * Reads a folder, subfolders first. If `picked`, the user chose it in the system's dialog, so any location is allowed. Throws
 * `AppError('not-found')`, `AppError('access-denied')` or `AppError('storage')`, depending on the system's error.
 */
export async function readFolder(
  folder: string,
  picked: boolean,
  text: string,
  within: Limits,
): Promise<FolderContent> {
  const dirents = await readdir(folder, { withFileTypes: true }).catch(throwLocalNameFailure);
  const searchText = text.toLowerCase();
  const matching = dirents.filter(
    ({ name }) => (within.showHidden || !name.startsWith('.')) && name.toLowerCase().includes(searchText),
  );
  const found = await inParallel(
    matching,
    maxParallelStats,
    async (dirent) => await resolveEntry(dirent, folder, picked, within),
  );
  const collator = new Intl.Collator();
  const shown = found
    .filter((entry) => typeof entry === 'object')
    .toSorted((left, right) => {
      if (left.isFolder !== right.isFolder) return left.isFolder ? -1 : 1;
      return collator.compare(left.name, right.name);
    });
  return { shown, leftOut: found.filter((entry) => entry === 'left-out').length };
}

/** Resolves an entry. Follows links only to allowed paths. Omits the data folder, sockets and other special files. */
async function resolveEntry(
  dirent: Dirent,
  folder: string,
  picked: boolean,
  within: Limits,
): Promise<Shown | 'left-out' | 'no-file'> {
  const { name } = dirent;
  const full = path.join(folder, name);
  if (dirent.isFile()) return { name, target: full, isFolder: false };
  if (dirent.isDirectory()) {
    const target = picked ? (isPrivate(full) ? null : full) : await resolvePickable(full, within);
    // Cooper's own data folder is never listed.
    return target === null ? 'no-file' : { name, target, isFolder: true };
  }
  if (!dirent.isSymbolicLink()) return 'no-file';
  const target = await resolvePickable(full, within);
  const targetStats = target === null ? null : await stat(target).catch(() => null);
  if (target === null || targetStats === null) return 'left-out';
  if (!targetStats.isFile() && !targetStats.isDirectory()) return 'no-file';
  return { name, target, isFolder: targetStats.isDirectory() };
}

/** Returns the folder of a handle. Throws `AppError('access-denied')` if it may no longer be shown. */
export async function realFolder(
  { path: folder, picked, real: before }: KnownFile,
  within: Limits,
): Promise<string> {
  const now = await realpath(folder).catch(throwLocalNameFailure);
  if (picked) {
    if ((before !== null && now !== before) || isPrivateAnywhere(now)) throw outsideRoots();
    return folder;
  }
  if (!isPickable(now, within)) throw outsideRoots();
  return now;
}

export function outsideRoots(): Error {
  return failure('access-denied', 'This folder cannot be shown.', { reason: 'outside-roots' });
}

/** Returns the mounted volumes other than the system disk, from the usual places of each system. */
export async function mountPoints(platform: NodeJS.Platform = process.platform): Promise<readonly string[]> {
  if (platform === 'win32')
    return await existing('CDEFGHIJKLMNOPQRSTUVWXYZ'.split('').map((letter) => `${letter}:\\`));
  if (platform === 'darwin') return await subfoldersOf('/Volumes');
  const media = (await Promise.all((await subfoldersOf('/media')).map(subfoldersOf))).flat();
  const run = (await Promise.all((await subfoldersOf('/run/media')).map(subfoldersOf))).flat();
  return onlyMounts([...(await subfoldersOf('/mnt')), ...media, ...run], await readMounts());
}

/** Returns the table of mounted volumes; null if this system has none. */
async function readMounts(): Promise<string | null> {
  return await readFile('/proc/self/mounts', 'utf8').catch(() => null);
}

/** Returns the folders that are mount points. The others are ordinary folders on the system disk. */
export function onlyMounts(folders: readonly string[], mounts: string | null): readonly string[] {
  if (mounts === null) return folders;
  const mounted = new Set(
    mounts.split('\n').map((line) =>
      // In this table, a space in a path is written as its octal code.
      (line.split(' ')[1] ?? '').replaceAll(/\\(\d{3})/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 8)),
      ),
    ),
  );
  return folders.filter((folder) => mounted.has(folder));
}

async function subfoldersOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return await existing(names.filter((name) => !name.startsWith('.')).map((name) => path.join(folder, name)));
}

async function existing(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const folderStats = await stat(folder).catch(() => null);
      return folderStats?.isDirectory() === true ? folder : null;
    }),
  );
  return found.filter((folder) => folder !== null);
}
