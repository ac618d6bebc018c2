import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memoryFolder = '/dev/shm';
const minFreeBytes = 4 * 1024 ** 3;

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Creates the folder for temporary test files. Uses memory if it is large enough, because many tests spend half their time
 * waiting for the disk. Removes the contents at the end.
 */
export function makeScratchFolder(
  freeBytes: (folder: string) => number = freeBytesOf,
  diskFolder = os.tmpdir(),
): ScratchFolder {
  const parent = freeBytes(memoryFolder) >= minFreeBytes ? memoryFolder : diskFolder;
  const folder = mkdtempSync(path.join(parent, 'cooper-check-'));
  return {
    path: folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the free space in bytes, or 0 if the folder does not exist. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0; // The folder does not exist on this system: use the ordinary temporary folder.
  }
}
