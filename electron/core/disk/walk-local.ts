import { opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { ItemNote } from '../../../shared/models/transfers.ts';
import { readFailure } from './read-failure.ts';

/** Something below what was chosen. */
export interface Found {
  readonly path: string;
  /** From the chosen file or folder on. */
  readonly segments: readonly string[];
  readonly kind: 'file' | 'folder';
  readonly sizeBytes: number | null;
  readonly modifiedAt: string | null;
  /** It is not sent, and why. */
  readonly note: ItemNote | null;
  readonly error: AppError | null;
  /** It is a link itself, or is behind one. */
  readonly viaLink: boolean;
}

interface Folder {
  readonly path: string;
  readonly segments: readonly string[];
  readonly viaLink: boolean;
  /** The real paths of the folders it is in: a link back to one of them is a loop. */
  readonly above: readonly string[];
}

/** Files below the chosen ones, folder by folder, in constant memory but for the folders still to visit. Links are followed, never in a circle. */
export async function* walkLocal(sources: readonly string[], signal: AbortSignal): AsyncGenerator<Found> {
  for (const source of sources) {
    const stack: Folder[] = [];
    yield* visit({ path: source, segments: [path.basename(source)], above: [], viaLink: false }, stack);
    for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
      signal.throwIfAborted();
      yield* readFolder(folder, stack, signal);
    }
  }
}

async function* visit(entry: Folder, stack: Folder[]): AsyncGenerator<Found> {
  const base = { path: entry.path, segments: entry.segments, viaLink: entry.viaLink };
  const none = { sizeBytes: null, modifiedAt: null, note: null, error: null };
  // A name that is not Unicode cannot be a key, and the file could not be opened by it again.
  if (entry.segments.at(-1)?.includes('\ufffd') === true && !(await exists(entry.path))) {
    yield { ...base, ...none, kind: 'file', note: 'name-unreadable' };
    return;
  }
  try {
    const found = await stat(entry.path);
    if (found.isDirectory()) {
      const real = await realpath(entry.path);
      if (entry.above.includes(real)) yield { ...base, ...none, kind: 'folder', note: 'symlink-loop' };
      else stack.push({ ...entry, above: [...entry.above, real] });
    } else if (found.isFile())
      yield { ...base, ...none, kind: 'file', sizeBytes: found.size, modifiedAt: found.mtime.toISOString() };
    else yield { ...base, ...none, kind: 'file', note: 'special-file' };
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'ELOOP') yield { ...base, ...none, kind: 'file', note: 'symlink-loop' };
    else yield { ...base, ...none, kind: 'file', error: errorOf(thrown) };
  }
}

async function* readFolder(folder: Folder, stack: Folder[], signal: AbortSignal): AsyncGenerator<Found> {
  const base = {
    path: folder.path,
    segments: folder.segments,
    viaLink: folder.viaLink,
    kind: 'folder',
    sizeBytes: null,
    modifiedAt: null,
    note: null,
  } as const;
  let isEmpty = true;
  try {
    for await (const entry of await opendir(folder.path, { bufferSize: 256 })) {
      signal.throwIfAborted();
      isEmpty = false;
      yield* visit(
        {
          path: path.join(folder.path, entry.name),
          segments: [...folder.segments, entry.name],
          above: folder.above,
          viaLink: folder.viaLink || entry.isSymbolicLink(),
        },
        stack,
      );
    }
  } catch (thrown) {
    signal.throwIfAborted();
    yield { ...base, error: errorOf(thrown) };
    return;
  }
  if (isEmpty) yield { ...base, error: null };
}

async function exists(filePath: string): Promise<boolean> {
  try {
    await stat(filePath);
    return true;
  } catch {
    return false;
  }
}

function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
}

function errorOf(thrown: unknown): AppError {
  const code = codeOf(thrown);
  return toAppError(code === null ? thrown : readFailure(code));
}
