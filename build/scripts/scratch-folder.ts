import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const wantedBytes = 4 * 1024 ** 3;

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Where tests keep their files: in memory where it has room, since half of the time of many tests is the wait for a disk that
 * nobody will read again. What is left in it goes at the end.
 */
export function makeScratchFolder(
  freeBytes: (folder: string) => number = freeBytesOf,
  ordinary = os.tmpdir(),
): ScratchFolder {
  const parent = freeBytes(memory) >= wantedBytes ? memory : ordinary;
  const folder = mkdtempSync(path.join(parent, 'cooper-check-'));
  return {
    path: folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** 0 where there is no such folder. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0; // Not on this system: its ordinary folder will do.
  }
}
