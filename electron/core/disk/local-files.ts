import type { BigIntStats } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  realpath,
  rename,
  rm,
  unlink,
  type FileHandle,
  opendir,
  readdir,
  stat,
} from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import {
  isInside,
  checkReal,
  isPrivateFolder,
  openToWrite,
  dataFolderFailure,
  type LocalSource,
} from './fence.ts';
import { absentAsNull } from '../store/safe-files.ts';
import type { Hasher } from './hash-pool.ts';
import type { PieceRequest, PieceSink } from './piece-sink.ts';
import { codeOf, hasNoLinks } from './small-files.ts';

/** The disk operations of downloads. Tests replace them by a full or read-only disk. */
export interface LocalFiles {
  openPart(part: LocalSource): Promise<FileHandle>;
  /** Writes and renames a small file in one call to a thread. Returns false if the name is taken. */
  placeSmall(hasher: Hasher, request: SmallFile, signal: AbortSignal): Promise<boolean>;
  /** Opens the sink for the bytes of a piece. */
  openPiece(hasher: Hasher, request: PieceRequest): PieceSink;
}

export type SmallFile = Parameters<Hasher['placeFile']>[0];

export const localFiles: LocalFiles = {
  openPart: openToWrite,
  placeSmall: (hasher, request, signal) => hasher.placeFile(request, signal),
  openPiece: (hasher, request) => hasher.openPiece(request),
};

export async function lstatOrNull(filePath: string): Promise<BigIntStats | null> {
  return await absentAsNull(lstat(filePath, { bigint: true }));
}

export interface MadeFolder {
  readonly path: string;
  /** True if this call created the folder. */
  readonly isNew: boolean;
}

/**
 * Creates missing folders below the root. Throws if a link or a file is on the path, so that nothing is written elsewhere. Throws
 * `AppError('storage')`, or the fence's error for Cooper's own data folder.
 */
export async function ensureFolder(root: string, segments: readonly string[]): Promise<MadeFolder> {
  let folder = root;
  let isNew = false;
  for (const segment of segments) {
    folder = path.join(folder, segment);
    const found = await lstatOrNull(folder);
    if (found !== null && isPrivateFolder(found)) throw dataFolderFailure();
    isNew = false;
    if (found === null) {
      try {
        await mkdir(folder);
        isNew = true;
      } catch (thrown) {
        // Another file of the same folder created it at the same time.
        if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
      }
    } else if (!found.isDirectory())
      throw failure(
        'storage',
        found.isSymbolicLink()
          ? 'There is a link where a folder should be. Cooper does not follow it.'
          : 'There is a file where a folder should be.',
        { reason: found.isSymbolicLink() ? 'unsafe-path' : 'in-the-way', retry: 'after-fix' },
      );
  }
  const real = await realpath(folder);
  if (isInside(real, root)) checkReal(real, root);
  else
    throw failure('storage', 'This path would be outside the chosen folder.', {
      reason: 'unsafe-path',
      retry: 'after-fix',
    });
  return { path: folder, isNew };
}

/** Gives a finished file its final name without replacing another file. Returns false if the name is taken. */
export async function placeNew(part: string, target: string): Promise<boolean> {
  try {
    await link(part, target);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'EEXIST') return false;
    if (code === null || !hasNoLinks(code)) throw thrown;
    if ((await lstatOrNull(target)) !== null) return false;
    await rename(part, target);
    return true;
  }
  await unlink(part);
  return true;
}

export async function placeOver(part: string, target: string): Promise<void> {
  await rename(part, target);
}

/** Returns the names in a folder; none if the folder does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw thrown;
  });
}

export async function removeFile(filePath: string): Promise<void> {
  await rm(filePath, { force: true });
}

/**
 * Returns the path of the file with which a job probes how the folder treats names. The path is constant, so that a retry removes
 * a file left by an interrupted attempt.
 */
export function probePathOf(folder: string, jobId: string): string {
  return path.join(folder, `${probeStart(jobId)}\u00e9a`);
}

const probeStart = (jobId: string): string => `.cooper-${jobId.slice(0, 13)}-`;

/** Returns true if this folder treats `a` and `A`, or two encodings of `é`, as one name. Probes with a temporary file. */
export async function isCaseInsensitive(folder: string, jobId: string): Promise<boolean> {
  const probe = probePathOf(folder, jobId);
  const handle = await openToWrite({ path: probe, within: folder });
  await handle.close();
  try {
    const others = ['\u00e9A', 'e\u0301a'].map((end) => path.join(folder, probeStart(jobId) + end));
    const otherEntries = await Promise.all(others.map(lstatOrNull));
    return otherEntries.some((found) => found !== null);
  } finally {
    await removeFile(probe);
  }
}

/**
 * Returns true if the folder treats `a` and `A` as the same name. Writes nothing: looks up an entry, or the folder itself, in the
 * other case. If that shows nothing, assumes the usual behaviour of the operating system.
 */
export async function isProbablyCaseInsensitive(folder: string): Promise<boolean> {
  let checkedCount = 0;
  for await (const { name } of await opendir(folder)) {
    const verdict = await isFoundInOtherCase(folder, name);
    if (verdict !== null) return verdict;
    checkedCount += 1;
    if (checkedCount >= 100) break;
  }
  const isFolding = await isFoundInOtherCase(path.dirname(folder), path.basename(folder));
  return isFolding ?? (process.platform === 'darwin' || process.platform === 'win32');
}

async function isFoundInOtherCase(folder: string, name: string): Promise<boolean | null> {
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) return null;
  try {
    const entryStats = await stat(path.join(folder, name), { bigint: true });
    const otherStats = await stat(path.join(folder, other), { bigint: true }).catch(() => null);
    return otherStats !== null && otherStats.ino === entryStats.ino && otherStats.dev === entryStats.dev;
  } catch {
    // The entry disappeared or is a dangling link, so another name is tried.
    return null;
  }
}
