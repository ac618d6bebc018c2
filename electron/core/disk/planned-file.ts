import { closeSync, fstatSync, type BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openToRead, openToReadSync, type LocalSource } from './fence.ts';

/** The properties that tell whether a file is still the planned one. Plain data, so that it can be sent to threads. */
export interface FileState {
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  /** Absent in records of earlier versions. */
  readonly ctimeNs?: string | undefined;
  readonly inode: string;
}

/** A local file that may be read only while it is the planned one. */
export interface PlannedSource extends LocalSource {
  /** Absent if any file at the path may be read. */
  readonly planned?: FileState;
}

export function stateOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats) {
  return {
    sizeBytes: Number(size),
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
    inode: String(ino),
  } satisfies FileState;
}

type FileTimes = Omit<FileState, 'sizeBytes'>;

/**
 * Returns true if inode and times are equal. Programs can restore the mtime after a change (touch -r, rsync --times), but not the
 * ctime.
 */
export function isSameFile(before: FileTimes, now: FileTimes): boolean {
  const isSameChange =
    before.ctimeNs === undefined || now.ctimeNs === undefined || before.ctimeNs === now.ctimeNs;
  return before.mtimeNs === now.mtimeNs && before.inode === now.inode && isSameChange;
}

/**
 * Opens a file for reading. Throws an error with the code CHANGED if it is not the planned file. A check of the path before and
 * after reading misses a link or folder that leads elsewhere only meanwhile.
 */
export function openPlannedSync(source: PlannedSource): number {
  const file = openToReadSync(source);
  try {
    requirePlanned(file, source);
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

/** Like `openPlannedSync`, for the main thread. */
export async function openPlanned(source: PlannedSource): Promise<FileHandle> {
  const handle = await openToRead(source);
  try {
    requirePlanned(handle.fd, source);
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

function requirePlanned(file: number, { planned }: PlannedSource): void {
  if (planned === undefined) return;
  const found = stateOf(fstatSync(file, { bigint: true }));
  if (found.sizeBytes === planned.sizeBytes && isSameFile(planned, found)) return;
  throw Object.assign(new Error('The path leads to another file, or the file changed.'), { code: 'CHANGED' });
}
