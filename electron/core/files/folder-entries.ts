import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside, isPrivate, isPrivateAnywhere } from '../disk/fence.ts';
import { inParallel } from '../flow/loops.ts';
import { localNameFailure } from './local-names.ts';
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
export async function check(filePath: string, within: Limits): Promise<string | null> {
  const real = await realpath(filePath).catch(() => null);
  if (real === null) return null;
  return isPickable(real, within) ? real : null;
}

const looksAtOnce = 32;

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
  const dirents = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
    throw localNameFailure(thrown);
  });
  const wanted = text.toLowerCase();
  const named = dirents.filter(
    ({ name }) => (within.showHidden || !name.startsWith('.')) && name.toLowerCase().includes(wanted),
  );
  const found = await inParallel(
    named,
    looksAtOnce,
    async (dirent) => await lookAt(dirent, folder, picked, within),
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
async function lookAt(
  dirent: Dirent,
  folder: string,
  picked: boolean,
  within: Limits,
): Promise<Shown | 'left-out' | 'no-file'> {
  const { name } = dirent;
  const full = path.join(folder, name);
  if (dirent.isFile()) return { name, target: full, isFolder: false };
  if (dirent.isDirectory()) {
    const target = picked ? (isPrivate(full) ? null : full) : await check(full, within);
    // Cooper's own data folder is never listed.
    return target === null ? 'no-file' : { name, target, isFolder: true };
  }
  if (!dirent.isSymbolicLink()) return 'no-file';
  const target = await check(full, within);
  const seen = target === null ? null : await stat(target).catch(() => null);
  if (target === null || seen === null) return 'left-out';
  if (!seen.isFile() && !seen.isDirectory()) return 'no-file';
  return { name, target, isFolder: seen.isDirectory() };
}

/** Returns the folder of a handle. Throws `AppError('access-denied')` if it may no longer be shown. */
export async function realFolder(
  { path: folder, picked, real: before }: KnownFile,
  within: Limits,
): Promise<string> {
  if (picked) {
    const now = await realpath(folder).catch((thrown: unknown) => {
      throw localNameFailure(thrown);
    });
    if ((before !== null && now !== before) || isPrivateAnywhere(now)) throw outsideRoots();
    return folder;
  }
  await realpath(folder).catch((thrown: unknown) => {
    throw localNameFailure(thrown);
  });
  const real = await check(folder, within);
  if (real === null) throw outsideRoots();
  return real;
}

export function outsideRoots(): Error {
  return failure('access-denied', 'This folder cannot be shown.', { reason: 'outside-roots' });
}
