import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { FileEntry, FolderListing } from '../../../shared/models/files.ts';
import type { Dialogs, Random } from '../ports.ts';
import { isInside, isPickable } from '../disk/allowed.ts';
import { mountPoints } from './mounts.ts';

export interface FilesDeps {
  readonly random: Random;
  readonly dialogs: Dialogs;
  /** Never shown: it holds the program's own secrets. */
  readonly dataDir: string;
  /** The home folder and the mounts, unless the host says otherwise. */
  readonly roots?: readonly string[];
  /** The files of the sample uploads: a root of its own, although it lies in the data folder. */
  readonly sampleDir: string;
}

export interface Files {
  roots(): Promise<FileEntry[]>;
  list(input: { folderHandle: string; offset: number; limit: number; text: string }): Promise<FolderListing>;
  pick(input: { kind: 'file' | 'folder'; title: string; multiple: boolean }): Promise<FileEntry[]>;
  /** A file or folder that the user has dropped on the window of a host that knows its path. */
  dropped(filePath: string): Promise<FileEntry>;
  /** The path behind a handle; for the core alone. */
  pathOf(handle: string): string;
  /** A handle for a file found in a folder that was chosen. */
  handleFor(filePath: string): string;
}

interface Known {
  readonly path: string;
  /** From the system's own dialog: the user has chosen it there, wherever it is. */
  readonly picked: boolean;
}

interface Limits {
  readonly roots: readonly string[];
  readonly dataDir: string;
  readonly sampleDir: string | null;
}

interface Shown {
  readonly name: string;
  readonly target: string;
  readonly isFolder: boolean;
}

/** Local files for the window, by opaque handles: paths stay in the core. */
export function createFiles(deps: FilesDeps): Files {
  const byHandle = new Map<string, Known>();
  const byPath = new Map<string, string>();

  const handleFor = (filePath: string, picked: boolean): string => {
    const known = byPath.get(filePath);
    if (known !== undefined && (byHandle.get(known)?.picked ?? false) === picked) return known;
    const handle = deps.random.id();
    byHandle.set(handle, { path: filePath, picked });
    byPath.set(filePath, handle);
    return handle;
  };

  const known = (handle: string): Known => {
    const found = byHandle.get(handle);
    if (found === undefined)
      throw failure('not-found', 'This file is not known any more. Choose it again.', {
        reason: 'file-handle',
        retry: 'after-fix',
      });
    return found;
  };

  const rootPaths = async (): Promise<readonly string[]> => {
    const wanted = [...(deps.roots ?? [os.homedir(), ...(await mountPoints())]), deps.sampleDir];
    const real = await Promise.all(wanted.map((root) => realpath(root).catch(() => null)));
    return [...new Set(real.filter((root) => root !== null))];
  };

  /** What one call may show; asked for once in it. */
  const limits = async (): Promise<Limits> => ({
    roots: await rootPaths(),
    dataDir: await realpath(deps.dataDir).catch(() => path.resolve(deps.dataDir)),
    sampleDir: await realpath(deps.sampleDir).catch(() => null),
  });

  const entryOf = async (filePath: string, name: string, picked: boolean): Promise<FileEntry | null> => {
    const found = await stat(filePath).catch(() => null);
    if (found === null || !(found.isFile() || found.isDirectory())) return null;
    return {
      handle: handleFor(filePath, picked),
      name,
      kind: found.isFile() ? 'file' : 'folder',
      sizeBytes: found.isFile() ? found.size : null,
      modifiedAt: found.mtime.toISOString(),
    };
  };

  return {
    roots: async () => {
      const entries = await Promise.all(
        (await rootPaths()).map((root) => entryOf(root, path.basename(root) || root, false)),
      );
      return entries.filter((entry) => entry !== null);
    },

    list: async (input) => {
      const folder = known(input.folderHandle);
      const within = await limits();
      const real = folder.picked ? folder.path : await check(folder.path, within);
      if (real === null)
        throw failure('access-denied', 'This folder cannot be shown.', { reason: 'outside-roots' });
      const text = input.text.toLowerCase();
      const dirents = await readdir(real, { withFileTypes: true }).catch((thrown: unknown) => {
        throw failure('storage', 'This folder cannot be read.', { reason: 'file-unreadable', cause: thrown });
      });
      const named = dirents.filter(
        (dirent) => !dirent.name.startsWith('.') && dirent.name.toLowerCase().includes(text),
      );
      const found = await Promise.all(named.map((dirent) => lookAt(dirent, real, folder.picked, within)));
      const shown = found
        .filter((one) => one !== null)
        .toSorted((left, right) => {
          if (left.isFolder !== right.isFolder) return left.isFolder ? -1 : 1;
          return left.name.localeCompare(right.name);
        });
      const entries = await Promise.all(
        shown
          .slice(input.offset, input.offset + input.limit)
          .map((one) => entryOf(one.target, one.name, folder.picked)),
      );
      return {
        trail: await trailTo(real, folder.picked),
        entries: entries.filter((entry) => entry !== null),
        total: shown.length,
      };
    },

    pick: async (input) => {
      if (!deps.dialogs.available)
        throw failure('unsupported', 'This host has no file dialog of its own.', { reason: 'no-dialogs' });
      const chosen =
        input.kind === 'folder'
          ? [await deps.dialogs.openFolder({ title: input.title })]
          : await deps.dialogs.openFiles({ title: input.title, multiple: input.multiple });
      const entries = await Promise.all(
        chosen.filter((one) => one !== null).map((one) => entryOf(one, path.basename(one), true)),
      );
      return entries.filter((entry) => entry !== null);
    },

    dropped: async (filePath) => {
      const entry = await entryOf(filePath, path.basename(filePath), true);
      if (entry !== null) return entry;
      throw failure('invalid-argument', 'What was dropped is neither a file nor a folder that can be read.', {
        reason: 'drop-not-a-file',
        retry: 'after-fix',
      });
    },

    pathOf: (handle) => known(handle).path,
    handleFor: (filePath) => handleFor(filePath, false),
  };

  async function trailTo(real: string, picked: boolean): Promise<{ handle: string; name: string }[]> {
    if (picked) return [{ handle: handleFor(real, true), name: path.basename(real) }];
    const roots = await rootPaths();
    const root =
      roots.filter((one) => isInside(real, one)).toSorted((a, b) => b.length - a.length)[0] ?? real;
    const trail = [{ handle: handleFor(root, false), name: path.basename(root) || root }];
    let current = root;
    for (const segment of path
      .relative(root, real)
      .split(path.sep)
      .filter((one) => one !== '')) {
      current = path.join(current, segment);
      trail.push({ handle: handleFor(current, false), name: segment });
    }
    return trail;
  }
}

/** By real path: a link must not lead out of the roots, into a dot-folder or into the data folder. */
async function check(filePath: string, within: Limits): Promise<string | null> {
  const real = await realpath(filePath).catch(() => null);
  if (real === null) return null;
  return isPickable(real, within.roots, within.dataDir, within.sampleDir) ? real : null;
}

/** Links are followed only to where the user may look; the data folder is left out. */
async function lookAt(
  dirent: Dirent,
  folder: string,
  picked: boolean,
  within: Limits,
): Promise<Shown | null> {
  const { name } = dirent;
  const full = path.join(folder, name);
  if (dirent.isFile()) return { name, target: full, isFolder: false };
  if (!dirent.isSymbolicLink() && !dirent.isDirectory()) return null;
  const target = picked && dirent.isDirectory() ? full : await check(full, within);
  if (target === null) return null;
  const seen = dirent.isDirectory() ? null : await stat(target).catch(() => null);
  if (seen !== null && !seen.isFile() && !seen.isDirectory()) return null;
  return { name, target, isFolder: dirent.isDirectory() || seen?.isDirectory() === true };
}
