import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
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
import type { PlaceTask, ReadTask, WholeFile } from './hash-messages.ts';

/** What a thread does to small files: whole, in one go. A call each from the main thread would cost more than the work. */

/** Reads the file, if it is small, and hashes what was read; SHORT and CHANGED say that it did not hold still. */
export function readWhole(task: ReadTask): WholeFile {
  const file = openSync(task.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const before = fstatSync(file, { bigint: true });
    const known = {
      isFile: before.isFile(),
      sizeBytes: Number(before.size),
      mtimeNs: String(before.mtimeNs),
      inode: String(before.ino),
    };
    if (!known.isFile || known.sizeBytes > task.maxBytes) return { ...known, content: null };
    const bytes = new Uint8Array(known.sizeBytes);
    let filled = 0;
    while (filled < bytes.byteLength) {
      const read = readSync(file, bytes, filled, bytes.byteLength - filled, filled);
      if (read === 0) throw coded('SHORT', 'The file ended early.');
      filled += read;
    }
    const after = fstatSync(file, { bigint: true });
    if (after.size !== before.size || after.mtimeNs !== before.mtimeNs)
      throw coded('CHANGED', 'The file changed while it was read.');
    return { ...known, content: { bytes, md5: createHash('md5').update(bytes).digest() } };
  } finally {
    closeSync(file);
  }
}

/** False: something has the name already, and keeps it. The half file is gone then, as after a failure. */
export function placeWhole(task: PlaceTask): boolean {
  let isPlaced = false;
  try {
    writePart(task);
    isPlaced = task.mayReplace ? placeOver(task) : placeNew(task);
    return isPlaced;
  } finally {
    if (!isPlaced) rmSync(task.part, { force: true });
  }
}

function writePart(task: PlaceTask): void {
  // No link is followed: what lies there under the name of a part is opened itself or not at all.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
  const file = openSync(task.part, flags, 0o666);
  try {
    let written = 0;
    while (written < task.bytes.byteLength) written += writeSync(file, task.bytes, written);
    if (task.seconds !== null) futimesSync(file, task.seconds, task.seconds);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function placeOver(task: PlaceTask): boolean {
  renameSync(task.part, task.target);
  return true;
}

function placeNew(task: PlaceTask): boolean {
  try {
    linkSync(task.part, task.target);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'EEXIST') return false;
    if (code === null || !hasNoLinks(code)) throw thrown;
    if (lookSync(task.target) !== null) return false;
    renameSync(task.part, task.target);
    return true;
  }
  unlinkSync(task.part);
  return true;
}

/** Some file systems have no links (FAT, some shares): a look and a rename come closest there. */
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
