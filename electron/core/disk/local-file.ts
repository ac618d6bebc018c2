import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { failure, type AppFailure } from '../../../shared/errors.ts';
import type { LocalSource } from './fence.ts';
import { isSameFile, stateOf, type PlannedSource } from './planned-file.ts';
import { danglingLink, isSymbolicLink, readFailure } from './disk-failure.ts';

/**
 * Reads the properties of a file. A later comparison of size, mtime, ctime and inode reveals changes. Throws
 * `AppError('storage')` if the file is missing, unreadable or not a regular file.
 */
export async function lookAtFile({ path: filePath, within }: LocalSource): Promise<JobFile> {
  try {
    const found = await stat(filePath, { bigint: true });
    if (!found.isFile())
      throw failure('storage', 'This is not a file.', { reason: 'file-unreadable', retry: 'after-fix' });
    return {
      path: filePath,
      ...(within === undefined ? {} : { within }),
      name: path.basename(filePath),
      ...stateOf(found),
    };
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) {
      if (thrown.code === 'ENOENT' && (await isSymbolicLink(filePath))) throw danglingLink();
      throw readFailure(String(thrown.code));
    }
    throw thrown;
  }
}

/** Throws `AppError('storage')` if the file changed since it was planned, or if its path is unknown (rclone#1250). */
export async function checkUnchanged(file: JobFile): Promise<void> {
  if (file.path === null)
    throw failure('storage', 'The local file must be chosen again.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  const now = await lookAtFile({ path: file.path, within: file.within });
  if (now.sizeBytes === file.sizeBytes && isSameFile(file, now)) return;
  throw fileChanged();
}

export function fileChanged(): AppFailure {
  return failure('storage', 'The local file has changed since the plan was made.', {
    reason: 'file-changed',
    retry: 'after-fix',
  });
}

/** Returns the file as a source that is read only while it is the planned one. */
export function plannedSource({ path: filePath, within, ...file }: JobFile): PlannedSource {
  const { sizeBytes, mtimeNs, ctimeNs, inode } = file;
  return { path: filePath ?? '', within, planned: { sizeBytes, mtimeNs, ctimeNs, inode } };
}

/** The file that a job sends, with its properties when it was planned. */
export const jobFileSchema = z.object({
  path: z.string().nullable(),
  /** The real path of the folder that must contain the file; absent if the user chose the file itself. */
  within: z.string().optional(),
  name: z.string(),
  sizeBytes: z.number(),
  /** A decimal text, because nanoseconds exceed the precision of a number. */
  mtimeNs: z.string(),
  /** The time of the inode's last change. Absent in records of earlier versions. */
  ctimeNs: z.string().optional(),
  inode: z.string(),
});

export type JobFile = Readonly<z.infer<typeof jobFileSchema>>;
