import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import type { FileMatch } from '../../../shared/models/resume-plan.ts';
import { isInside, isPrivate } from '../disk/fence.ts';
import { forEachLimited } from '../flow/loops.ts';

export interface MatchDeps {
  readonly signal: AbortSignal;
  readonly storedBytes: (ref: UploadRef) => Promise<number>;
  readonly handleFor: (filePath: string) => string;
}

interface FoundFile {
  readonly filePath: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** Finds the file of each upload in a folder by the full path of its key, otherwise by ever shorter ends of the path. */
export async function matchFiles(
  folder: string,
  refs: readonly UploadRef[],
  deps: MatchDeps,
): Promise<FileMatch[]> {
  const root = await realpath(folder);
  const matches = new Map<UploadRef, FileMatch>();
  await forEachLimited(refs, 4, deps.signal, async (ref) => {
    matches.set(ref, await matchUpload(root, ref, deps));
  });
  return refs.flatMap((ref) => matches.get(ref) ?? []);
}

async function matchUpload(root: string, ref: UploadRef, deps: MatchDeps): Promise<FileMatch> {
  const noMatch: FileMatch = { ref, handle: null, fileName: null, sizeBytes: null, problem: 'none-found' };
  const candidates: FoundFile[] = [];
  for (const relative of endsOf(ref.key)) {
    const found = await fileAt(root, relative);
    if (found !== null && !candidates.some((candidate) => candidate.filePath === found.filePath))
      candidates.push(found);
  }
  if (candidates.length === 0) return noMatch;
  const storedBytes = await deps.storedBytes(ref);
  const longEnough = candidates.filter((candidate) => candidate.sizeBytes >= storedBytes);
  const [best] = longEnough.length > 0 ? longEnough : candidates;
  if (best === undefined) return noMatch;
  return {
    ref,
    handle: deps.handleFor(best.filePath),
    fileName: best.name,
    sizeBytes: best.sizeBytes,
    problem: longEnough.length === 0 ? 'too-short' : longEnough.length > 1 ? 'several-found' : null,
  };
}

/**
 * Returns the ends of a key's path: for a/b/c these are a/b/c, b/c and c. Returns none if a segment is unsafe as a file name.
 */
export function endsOf(key: string): readonly string[] {
  const segments = key.split('/').filter((segment) => segment !== '');
  if (segments.some((segment) => segment === '.' || segment === '..' || /[\\\0]/.test(segment))) return [];
  return segments.map((_, index) => segments.slice(index).join('/'));
}

async function fileAt(root: string, relative: string): Promise<FoundFile | null> {
  const candidatePath = path.join(root, ...relative.split('/'));
  const real = await realpath(candidatePath).catch(() => null);
  if (real === null || !isInside(real, root) || isPrivate(real)) return null;
  const stats = await stat(real).catch(() => null);
  if (stats === null || !stats.isFile()) return null;
  return { filePath: real, name: path.basename(candidatePath), sizeBytes: stats.size };
}
