import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { checksumOf } from './checksums.ts';
import { markUnnamed } from './downloaded-mark.ts';
import { openToWriteSync, openToReadSync } from './fence.ts';
import { stateOf } from './planned-file.ts';
import type {
  FileFailure,
  NameRequest,
  Placed,
  PlaceRequest,
  ReadTask,
  WholeFile,
  Written,
} from './hash-messages.ts';

/**
 * Operations on small files in a thread. Each file takes one call, because separate calls from the main thread would cost more
 * than the work.
 */

/** Reads and hashes a small file. Throws SHORT or CHANGED if the file changed meanwhile. */
export function readWhole(task: ReadTask): WholeFile {
  const file = openToReadSync(task);
  try {
    const before = fstatSync(file, { bigint: true });
    const known = { isFile: before.isFile(), ...stateOf(before) };
    if (!known.isFile || known.sizeBytes > task.maxBytes) return { ...known, content: null };
    const bytes = new Uint8Array(known.sizeBytes);
    let filled = 0;
    while (filled < bytes.byteLength) {
      const read = readSync(file, bytes, filled, bytes.byteLength - filled, filled);
      if (read === 0) throw coded('SHORT', 'The file ended early.');
      filled += read;
    }
    const after = fstatSync(file, { bigint: true });
    // Programs that restore the mtime (touch -r, rsync --times) cannot restore the ctime.
    if (after.size !== before.size || after.mtimeNs !== before.mtimeNs || after.ctimeNs !== before.ctimeNs)
      throw coded('CHANGED', 'The file changed while it was read.');
    const checksums = task.algorithm === null ? {} : { [task.algorithm]: checksumOf(task.algorithm, bytes) };
    return { ...known, content: { bytes, md5: createHash('md5').update(bytes).digest(), checksums } };
  } finally {
    closeSync(file);
  }
}

/**
 * Writes all files before flushing the first, so that the file system flushes their metadata together. Removes a file that fails
 * or whose name is taken, without affecting the others.
 */
export function placeAll(requests: readonly PlaceRequest[]): readonly Placed[] {
  const written = requests.map((request) => ({ request, file: tried(request, () => writePart(request)) }));
  return written.map(({ request, file }) =>
    typeof file === 'number'
      ? tried(request, () => {
          makeSafe(file);
          return nameIt(request);
        })
      : file,
  );
}

/** Writes the files without flushing or renaming them. `nameAll` does the rest. */
export function writeAll(requests: readonly PlaceRequest[]): readonly Written[] {
  return requests.map((request) =>
    tried(request, () => {
      const file = writePart(request);
      try {
        return { device: fstatSync(file).dev };
      } finally {
        closeSync(file);
      }
    }),
  );
}

/** Flushes files where needed and renames them, after `writeAll`. */
export function nameAll(requests: readonly NameRequest[]): readonly Placed[] {
  return requests.map((request) =>
    tried(request, () => {
      if (!request.isSafe) makeSafe(openSync(request.part, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)));
      return nameIt(request);
    }),
  );
}

/** Runs `work`. If it fails, removes the partial file and returns the failure. */
function tried<T>({ part }: Pick<PlaceRequest, 'part'>, work: () => T): T | FileFailure {
  try {
    return work();
  } catch (thrown) {
    removePart(part);
    return { code: codeOf(thrown), message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Removes the partial file. Ignores errors, because the file's result is already known. */
function removePart(part: string): void {
  try {
    rmSync(part, { force: true });
  } catch {
    // The file is gone, or a later cancel will remove it.
  }
}

/** Writes the partial file and returns its open descriptor. */
function writePart(request: PlaceRequest): number {
  const file = openToWriteSync({ path: request.part, within: request.within });
  try {
    ftruncateSync(file, 0);
    for (let written = 0; written < request.bytes.byteLength;)
      written += writeSync(file, request.bytes, written);
    markUnnamed(request.part);
    if (request.seconds !== null) futimesSync(file, request.seconds, request.seconds);
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

function makeSafe(file: number): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

type Naming = Omit<NameRequest, 'isSafe'>;

function nameIt(request: Naming): Placed {
  const isPlaced = request.mayReplace ? placeOver(request) : placeNew(request);
  if (!isPlaced) removePart(request.part);
  return { isTaken: !isPlaced };
}

function placeOver({ part, target }: Naming): boolean {
  renameSync(part, target);
  return true;
}

function placeNew({ part, target }: Naming): boolean {
  try {
    linkSync(part, target);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'EEXIST') return false;
    if (code === null || !hasNoLinks(code)) throw thrown;
    if (lookSync(target) !== null) return false;
    renameSync(part, target);
    return true;
  }
  unlinkSync(part);
  return true;
}

/**
 * Returns true for errors of file systems without hard links (FAT, some shares). There, the closest substitute is a check before
 * a rename.
 */
export function hasNoLinks(code: string): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code);
}

function lookSync(filePath: string): BigIntStats | null {
  return lstatSync(filePath, { bigint: true, throwIfNoEntry: false }) ?? null;
}

export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
