import type { Stats } from 'node:fs';
import { lstat, rename, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import { holdsPrivate, isPrivateAnywhere, dataFolderFailure } from '../disk/fence.ts';
import { placeNew } from '../disk/local-files.ts';
import { isLocalName, localNameFailure, throwLocalNameFailure } from './local-names.ts';

/**
 * Renames an entry of a folder. A link is renamed itself, not its target. Never replaces another entry. Throws
 * `AppError('conflict')` if the new name is taken, `AppError('invalid-argument')` if this system cannot store it, and
 * `AppError('access-denied')` for the data folder and folders that contain it.
 */
export async function renameEntry(folder: string, name: string, newName: string): Promise<string> {
  const from = entryPath(folder, name);
  const to = entryPath(folder, newName);
  const found = await statAllowedEntry(from);
  try {
    // On a disk that ignores case, the file itself is found under the new name.
    if (!found.isFile() || !(await placeNew(from, to))) await renameUnlessTaken(from, to, found);
  } catch (thrown) {
    throw localNameFailure(thrown);
  }
  return to;
}

/**
 * Deletes entries of a folder one after another and stops at the first failure. `trash` moves an entry to the system's trash. If
 * it is null, entries are deleted permanently, and a folder must be empty. Throws `AppError('conflict')` for one that is not.
 */
export async function removeEntries(
  folder: string,
  names: readonly string[],
  trash: ((file: string) => Promise<void>) | null,
): Promise<void> {
  for (const name of names) {
    const file = entryPath(folder, name);
    const found = await statAllowedEntry(file);
    try {
      if (trash !== null) await trash(file);
      else if (found.isDirectory()) await rmdir(file);
      else await unlink(file);
    } catch (thrown) {
      throw localNameFailure(thrown);
    }
  }
}

function entryPath(folder: string, name: string): string {
  if (isLocalName(name)) return path.join(folder, name);
  throw failure('invalid-argument', 'A file of this computer cannot have this name.', {
    reason: 'local-name',
    retry: 'after-fix',
  });
}

async function statAllowedEntry(file: string): Promise<Stats> {
  const found = await lstat(file).catch(throwLocalNameFailure);
  if (!found.isSymbolicLink() && (isPrivateAnywhere(file) || (found.isDirectory() && holdsPrivate(file))))
    throw dataFolderFailure();
  return found;
}

async function renameUnlessTaken(from: string, to: string, found: Stats): Promise<void> {
  const existing = await lstat(to).catch(() => null);
  const isCaseOnly =
    path.basename(from).toLowerCase() === path.basename(to).toLowerCase() &&
    existing?.ino === found.ino &&
    existing.dev === found.dev;
  if (existing !== null && !isCaseOnly)
    throw failure('conflict', 'An item with this name already exists.', {
      reason: 'local-exists',
      retry: 'after-fix',
    });
  await rename(from, to);
}
