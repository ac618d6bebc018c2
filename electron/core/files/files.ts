import { mkdir, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { failure } from '../../../shared/errors.ts';
import type { FileEntry, FolderListing, LocalRoot } from '../../../shared/models/files.ts';
import { isInside, isPrivate, isPrivateAnywhere, dataFolderFailure } from '../disk/fence.ts';
import { saveFile } from '../disk/save-file.ts';
import { inParallel, Recent } from '../flow/loops.ts';
import type { Dialogs, Random, Shell } from '../ports.ts';
import type { Values } from '../store/records.ts';
import { removeEntries, renameEntry } from './change-entries.ts';
import { safeFileName, isLocalName, localNameFailure, throwLocalNameFailure } from './local-names.ts';
import { createHandles, type KnownFile } from './handles.ts';
import {
  mountPoints,
  realFolder,
  outsideRoots,
  resolvePickable,
  readFolder,
  type FolderContent,
  type Limits,
} from './folder-entries.ts';

export interface FilesDeps {
  readonly random: Random;
  readonly dialogs: Dialogs;
  readonly shell: Pick<Shell, 'revealInFolder' | 'trashItem'>;
  /** Stores the handles of opened folders across restarts; absent if they are not stored. */
  readonly values?: Values;
  /** True if the whole disk is offered as a root after the home folder. */
  readonly isWholeDisk?: boolean;
  /** The roots to offer. Default: the home folder and the mounted volumes. */
  readonly roots?: readonly string[];
  /** The folder with the files for sample uploads. It is a separate root, because it is inside the data folder. */
  readonly sampleDir: string;
}

export interface Files {
  roots(): Promise<LocalRoot[]>;
  list(input: ListInput): Promise<FolderListing>;
  makeFolder(input: { readonly folderHandle: string; readonly name: string }): Promise<FileEntry>;
  rename(input: {
    readonly folderHandle: string;
    readonly name: string;
    readonly newName: string;
  }): Promise<FileEntry>;
  /** Throws `AppError('unsupported')` if the trash is requested and the host has none. */
  remove(input: {
    readonly folderHandle: string;
    readonly names: readonly string[];
    readonly isPermanent: boolean;
  }): Promise<void>;
  reveal(handle: string): Promise<void>;
  pick(input: { kind: 'file' | 'folder'; title: string; multiple: boolean }): Promise<FileEntry[]>;
  /** Saves content from the window to a file that the user chooses. `isSaved` is false if the user closed the dialog. */
  save(
    input: { readonly fileName: string; readonly contentBase64: string },
    signal?: AbortSignal,
  ): Promise<{ isSaved: boolean }>;
  /** Returns the entry of a file or folder dropped on the window, for hosts that know its path. */
  dropped(filePath: string): Promise<FileEntry>;
  /**
   * Returns the file or folder of a handle; for the core only. Throws `AppError('access-denied')` if the path now leads elsewhere
   * or into the data folder.
   */
  chosen(handle: string): Promise<{ readonly path: string; readonly real: string }>;
  realPathOf(handle: string): Promise<string>;
  /** Returns a handle for a file found in a chosen folder. */
  handleFor(filePath: string): string;
}

interface Root {
  readonly path: string;
  readonly role: LocalRoot['role'];
}

interface ListInput {
  readonly folderHandle: string;
  readonly offset: number;
  readonly limit: number;
  readonly text: string;
  readonly showHidden?: boolean;
}

/** The maximum number of folders that are read page by page. All pages of a folder show it as it was at the first one. */
const maxOpenFolders = 8;

const maxParallelStats = 32;
const never = new AbortController().signal;

/** Gives the window access to local files by opaque handles. Paths stay in the core. */
export function createFiles(deps: FilesDeps): Files {
  const handles = createHandles(deps.random, deps.values ?? null);
  /** Returns the handle of a file, by its real path. */
  const handleFor = (real: string): string => handles.handleFor(real, false, real);
  const known = (handle: string): KnownFile => handles.known(handle);
  const openReads = new Recent<FolderContent>(maxOpenFolders);

  const offeredRoots = async (): Promise<readonly Root[]> => {
    if (deps.roots !== undefined) return deps.roots.map((root) => ({ path: root, role: 'mount' }));
    const mounts = await mountPoints();
    return [
      { path: os.homedir(), role: 'home' },
      ...mounts.map((mount): Root => ({ path: mount, role: 'mount' })),
      // On Windows, the drives are among the mounted volumes.
      ...(deps.isWholeDisk === true && process.platform !== 'win32'
        ? [{ path: '/', role: 'disk' } as const]
        : []),
    ];
  };

  /** Returns the real paths of the roots that exist, without duplicates. */
  const readRoots = async (): Promise<readonly Root[]> => {
    const candidateRoots: readonly Root[] = [
      ...(await offeredRoots()),
      { path: deps.sampleDir, role: 'samples' },
    ];
    const real = await Promise.all(
      candidateRoots.map(async ({ path: root, role }) => ({
        role,
        path: await realpath(root).catch(() => null),
      })),
    );
    const byPath = new Map<string, Root['role']>();
    for (const { path: root, role } of real) if (root !== null && !byPath.has(root)) byPath.set(root, role);
    return [...byPath].map(([root, role]) => ({ path: root, role }));
  };

  const rootPaths = async (): Promise<readonly string[]> => (await readRoots()).map((root) => root.path);

  /** Returns the limits of one call, which are read once per call. */
  const limits = async (showHidden: boolean): Promise<Limits> => ({ showHidden, roots: await rootPaths() });

  const entryOf = async (filePath: string, name: string, picked: boolean): Promise<FileEntry | null> => {
    const found = await stat(filePath).catch(() => null);
    if (found === null || !(found.isFile() || found.isDirectory())) return null;
    const real = await realpath(filePath).catch(() => null);
    if (real === null || isPrivate(real)) return null;
    return {
      handle: handles.handleFor(filePath, picked, real),
      name,
      kind: found.isFile() ? 'file' : 'folder',
      sizeBytes: found.isFile() ? found.size : null,
      modifiedAt: found.mtime.toISOString(),
    };
  };

  return {
    roots: async () => {
      const entries = await Promise.all(
        (await readRoots()).map(async ({ path: root, role }) => {
          const entry = await entryOf(root, path.basename(root) || root, false);
          // Restored tabs refer to roots by handle, so these handles must stay valid across restarts.
          if (entry !== null) handles.keep(entry.handle);
          return entry === null ? null : { ...entry, role };
        }),
      );
      return entries.filter((entry) => entry !== null);
    },

    list: async ({ folderHandle, offset, limit, text, showHidden = false }) => {
      const folder = known(folderHandle);
      const within = await limits(showHidden);
      const real = await realFolder(folder, within);
      const readKey = JSON.stringify([folderHandle, text, showHidden]);
      const cached = offset === 0 ? undefined : openReads.get(readKey);
      const content = cached ?? (await readFolder(real, folder.picked, text, within));
      openReads.set(readKey, content);
      if (offset === 0) handles.keep(folderHandle);
      const page = content.shown.slice(offset, offset + limit);
      const entries = await inParallel(
        page,
        maxParallelStats,
        async ({ target, name }) => await entryOf(target, name, folder.picked),
      );
      const found = entries.filter((entry) => entry !== null);
      return {
        trail: await trailTo(real, folder.picked),
        entries: found,
        total: content.shown.length,
        leftOut: content.leftOut + page.length - found.length,
      };
    },

    makeFolder: async ({ folderHandle, name }) => {
      const folder = known(folderHandle);
      // Allows hidden folders, because the user may create one and then open it.
      const real = await realFolder(folder, await limits(true));
      if (!isLocalName(name))
        throw failure('invalid-argument', 'A folder of this computer cannot have this name.', {
          reason: 'local-name',
          retry: 'after-fix',
        });
      const made = path.join(real, name);
      await mkdir(made).catch(throwLocalNameFailure);
      const entry = await entryOf(made, name, folder.picked);
      if (entry === null) throw localNameFailure(null);
      return entry;
    },

    rename: async ({ folderHandle, name, newName }) => {
      const folder = known(folderHandle);
      const renamed = await renameEntry(await realFolder(folder, await limits(true)), name, newName);
      const entry = await entryOf(renamed, newName, folder.picked);
      if (entry === null) throw localNameFailure(null);
      return entry;
    },

    remove: async ({ folderHandle, names, isPermanent }) => {
      const { shell } = deps;
      if (!isPermanent && shell.trashItem === undefined)
        throw failure('unsupported', 'This host has no trash.', { reason: 'no-trash' });
      const trash = isPermanent ? null : async (file: string) => await shell.trashItem?.(file);
      await removeEntries(await realFolder(known(folderHandle), await limits(true)), names, trash);
    },

    reveal: async (handle) => {
      const { path: shown, picked } = known(handle);
      const real = picked ? (await chosen(handle)).path : await resolvePickable(shown, await limits(true));
      if (real === null) throw outsideRoots();
      await deps.shell.revealInFolder(real);
    },

    pick: async (input) => {
      if (!deps.dialogs.available)
        throw failure('unsupported', 'This host has no file dialog.', { reason: 'no-dialogs' });
      const chosen =
        input.kind === 'folder'
          ? [await deps.dialogs.openFolder({ title: input.title })]
          : await deps.dialogs.openFiles({ title: input.title, multiple: input.multiple });
      const entries = await Promise.all(
        chosen
          .filter((chosenPath) => chosenPath !== null)
          .map((chosenPath) => entryOf(chosenPath, path.basename(chosenPath), true)),
      );
      return entries.filter((entry) => entry !== null);
    },

    save: async ({ fileName, contentBase64 }, signal = never) => {
      if (!deps.dialogs.available)
        throw failure('unsupported', 'This host has no file dialog.', { reason: 'no-dialogs' });
      const suggestedName = safeFileName(fileName);
      const target = await deps.dialogs.saveFile({ title: suggestedName, suggestedName });
      if (target === null) return { isSaved: false };
      await saveFile(target, Readable.from([Buffer.from(contentBase64, 'base64')]), signal);
      return { isSaved: true };
    },

    dropped: async (filePath) => {
      const entry = await entryOf(filePath, path.basename(filePath), true);
      if (entry !== null) return entry;
      throw failure('invalid-argument', 'The dropped item is not a readable file or folder.', {
        reason: 'drop-not-a-file',
        retry: 'after-fix',
      });
    },

    chosen,
    realPathOf: async (handle) => (await chosen(handle)).real,
    handleFor: (filePath) => handles.handleFor(filePath, false, null),
  };

  async function chosen(handle: string): Promise<{ readonly path: string; readonly real: string }> {
    const { path: filePath, real: before } = known(handle);
    // For a missing file, an error follows later, when its item is read.
    const real = await realpath(filePath).catch(() => before ?? filePath);
    if (before !== null && real !== before)
      throw failure('access-denied', 'This path now leads to another file. Choose it again.', {
        reason: 'file-replaced',
        retry: 'after-fix',
      });
    if (isPrivateAnywhere(real)) throw dataFolderFailure();
    return { path: filePath, real };
  }

  async function trailTo(real: string, picked: boolean): Promise<{ handle: string; name: string }[]> {
    if (picked) return [{ handle: handles.handleFor(real, true, real), name: path.basename(real) }];
    const roots = await rootPaths();
    const root =
      roots.filter((rootPath) => isInside(real, rootPath)).toSorted((a, b) => b.length - a.length)[0] ?? real;
    const trail = [{ handle: handleFor(root), name: path.basename(root) || root }];
    let current = root;
    for (const segment of path
      .relative(root, real)
      .split(path.sep)
      .filter((piece) => piece !== '')) {
      current = path.join(current, segment);
      trail.push({ handle: handleFor(current), name: segment });
    }
    return trail;
  }
}
