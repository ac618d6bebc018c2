import type { BigIntStats } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { ItemNote } from '../../../shared/models/transfers.ts';
import { isInside, isPrivate, isPrivateAnywhere, isPrivateFolder } from './fence.ts';
import { danglingLink, isSymbolicLink, readFailure } from './disk-failure.ts';
import { codeOf } from './small-files.ts';

/** A file or folder below a chosen one. */
export interface Found {
  readonly path: string;
  /** The path segments below the chosen file or folder. */
  readonly segments: readonly string[];
  /** The index of the chosen file or folder that contains it. */
  readonly root: number;
  readonly kind: 'file' | 'folder';
  readonly sizeBytes: number | null;
  readonly modifiedAt: string | null;
  /** Why it is not sent; null if it is sent. */
  readonly note: ItemNote | null;
  readonly error: AppError | null;
  /** True if it is a link or was reached through a link. */
  readonly viaLink: boolean;
  /** True if it was reached through a link that leads out of the chosen folder. */
  readonly leaves: boolean;
}

/** A path that the user chose, with its real path at that time. If `real` is null, it is resolved when the path is used. */
export interface ChosenPaths {
  readonly path: string;
  readonly real: string | null;
}

interface Entry {
  readonly path: string;
  readonly segments: readonly string[];
  readonly isLink: boolean;
}

interface Folder extends Pick<Found, 'path' | 'segments' | 'viaLink' | 'leaves'> {
  readonly real: string;
  /** The real paths of its parent folders. A link to one of them is a loop. */
  readonly above: readonly string[];
}

/** The limit for visits of one folder through links. Folders that link to each other have a huge number of paths. */
const maxVisitsByLinks = 32;

/**
 * Yields the files below the chosen ones, folder by folder. Memory is constant except for the folders that are still to be
 * visited. Follows links but no loops, leaves the chosen folder only with `takesLinksOut`, and never enters the data folder.
 */
export async function* walkLocal(
  sources: readonly ChosenPaths[],
  takesLinksOut: boolean,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  for (const [root, source] of sources.entries()) {
    const walk = new SourceWalk(root, source, takesLinksOut, signal);
    yield* walk.all();
  }
}

const nothing = { sizeBytes: null, modifiedAt: null, note: null, error: null } as const;

class SourceWalk {
  readonly #root: number;
  readonly #source: ChosenPaths;
  readonly #takesLinksOut: boolean;
  readonly #signal: AbortSignal;
  readonly #stack: Folder[] = [];
  readonly #visitsByLinks = new Map<string, number>();
  #real: string | null;

  constructor(root: number, source: ChosenPaths, takesLinksOut: boolean, signal: AbortSignal) {
    this.#root = root;
    this.#source = source;
    this.#real = source.real;
    this.#takesLinksOut = takesLinksOut;
    this.#signal = signal;
  }

  async *all(): AsyncGenerator<Found> {
    const { path: source } = this.#source;
    yield* this.#visit({ path: source, segments: [path.basename(source)], isLink: true }, null);
    for (let folder = this.#stack.pop(); folder !== undefined; folder = this.#stack.pop()) {
      this.#signal.throwIfAborted();
      yield* this.#read(folder);
    }
  }

  /** Yields a file or a skipped entry, or enqueues a folder. */
  async *#visit(entry: Entry, parent: Folder | null): AsyncGenerator<Found> {
    const { path: filePath, segments, isLink } = entry;
    const base = {
      path: filePath,
      segments,
      root: this.#root,
      viaLink: parent !== null && (parent.viaLink || isLink),
      leaves: parent?.leaves ?? false,
      ...nothing,
    };
    // A name that is not valid Unicode cannot be a key, and cannot be used to open the file.
    if (segments.at(-1)?.includes('\ufffd') === true && !(await exists(filePath))) {
      yield { ...base, kind: 'file', note: 'name-unreadable' };
      return;
    }
    try {
      const found = await stat(filePath, { bigint: true });
      const kind = found.isDirectory() ? 'folder' : 'file';
      const name = segments.at(-1) ?? '';
      const real = parent === null || isLink ? await realpath(filePath) : path.join(parent.real, name);
      const verdict = this.#judge(real, found, { ...base, isRoot: parent === null });
      if (verdict.note !== null) yield { ...base, leaves: verdict.leaves, kind, note: verdict.note };
      else if (found.isDirectory()) {
        const folder = { path: filePath, segments, real, viaLink: base.viaLink, leaves: verdict.leaves };
        if (this.#mayEnter(folder, parent))
          this.#stack.push({ ...folder, above: [...(parent?.above ?? []), real] });
        else yield { ...base, leaves: verdict.leaves, kind, note: 'symlink-loop' };
      } else if (found.isFile())
        yield {
          ...base,
          leaves: verdict.leaves,
          kind,
          sizeBytes: Number(found.size),
          modifiedAt: found.mtime.toISOString(),
        };
      else yield { ...base, kind, note: 'special-file' };
    } catch (thrown) {
      const code = codeOf(thrown);
      if (code === 'ELOOP') yield { ...base, kind: 'file', note: 'symlink-loop' };
      else if (code === 'ENOENT' && (await isSymbolicLink(filePath)))
        yield { ...base, kind: 'file', error: toAppError(danglingLink()) };
      else yield { ...base, kind: 'file', error: errorOf(thrown) };
    }
  }

  #judge(
    real: string,
    found: BigIntStats,
    { leaves: isOutside, isRoot }: { readonly leaves: boolean; readonly isRoot: boolean },
  ): Pick<Found, 'note' | 'leaves'> {
    const isInDataFolder = isRoot ? isPrivateAnywhere(real) : isPrivate(real);
    if (isInDataFolder || (found.isDirectory() && isPrivateFolder(found)))
      return { note: 'own-data', leaves: isOutside };
    this.#real ??= real;
    // The chosen folder itself was replaced after it was chosen.
    if (isRoot && real !== this.#real) return { note: 'link-outside', leaves: true };
    const leaves = isOutside || !isInside(real, this.#real);
    return { leaves, note: leaves && !this.#takesLinksOut ? 'link-outside' : null };
  }

  #mayEnter({ real, viaLink }: Pick<Folder, 'real' | 'viaLink'>, parent: Folder | null): boolean {
    if (parent?.above.includes(real) === true) return false;
    if (!viaLink) return true;
    const visits = (this.#visitsByLinks.get(real) ?? 0) + 1;
    this.#visitsByLinks.set(real, visits);
    return visits <= maxVisitsByLinks;
  }

  async *#read(folder: Folder): AsyncGenerator<Found> {
    const { segments, viaLink, leaves } = folder;
    const base = {
      path: folder.path,
      segments,
      root: this.#root,
      viaLink,
      leaves,
      ...nothing,
      kind: 'folder',
    } as const;
    let isEmpty = true;
    try {
      for await (const entry of await opendir(folder.path, { bufferSize: 256 })) {
        this.#signal.throwIfAborted();
        isEmpty = false;
        yield* this.#visit(
          {
            path: path.join(folder.path, entry.name),
            segments: [...segments, entry.name],
            isLink: entry.isSymbolicLink(),
          },
          folder,
        );
      }
    } catch (thrown) {
      this.#signal.throwIfAborted();
      yield { ...base, error: errorOf(thrown) };
      return;
    }
    if (isEmpty) yield base;
  }
}

async function exists(filePath: string): Promise<boolean> {
  try {
    await stat(filePath);
    return true;
  } catch {
    return false;
  }
}

function errorOf(thrown: unknown): AppError {
  const code = codeOf(thrown);
  return toAppError(code === null ? thrown : readFailure(code));
}
