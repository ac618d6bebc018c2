import { mkdir, open, readdir, type FileHandle, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { failure } from '../../../shared/errors.ts';
import type { DroppedBatch } from '../../../shared/models/files.ts';
import { codeOf } from '../disk/small-files.ts';
import { syncFolder } from '../store/safe-files.ts';
import { forEachLimited } from '../flow/loops.ts';
import { isLocalName } from './local-names.ts';

/** The number of concurrent fsyncs. The file system combines their journal entries. */
const syncsAtOnce = 8;

/** Throws for paths that lead out of the drop's folder, or that this system would interpret differently. */
export function checkBatch(batch: DroppedBatch, platform: NodeJS.Platform = process.platform): void {
  for (const segments of [...batch.files.map((file) => file.path), ...batch.emptyFolders])
    for (const segment of segments) if (!isLocalName(segment, platform)) throw unsafeName();
}

export function sizeOfBatch(batch: DroppedBatch): number {
  return batch.files.reduce((sum, file) => sum + file.sizeBytes, 0);
}

/**
 * Splits one body into the announced files below a folder. Resolves when all are on disk. Throws `AppError('invalid-argument')`
 * if more or fewer bytes arrive than announced.
 */
export async function writeBatch(
  folder: string,
  batch: DroppedBatch,
  body: Readable,
  onLeft: (leftBytes: number) => void,
): Promise<void> {
  const folders = new Set<string>([folder]);
  const makeFolder = async (segments: readonly string[]): Promise<string> => {
    let current = folder;
    for (const segment of segments) {
      current = path.join(current, segment);
      if (folders.has(current)) continue;
      await mkdir(current, { recursive: true, mode: 0o700 });
      folders.add(current);
    }
    return current;
  };
  for (const segments of batch.emptyFolders) await makeFolder(segments);
  const bytes = new Pieces(body);
  let leftBytes = sizeOfBatch(batch);
  const written: string[] = [];
  for (const file of batch.files) {
    const parent = await makeFolder(file.path.slice(0, -1));
    const target = path.join(parent, file.path.at(-1) ?? '');
    const handle = await open(target, 'wx', 0o600);
    try {
      await bytes.copyTo(handle, file.sizeBytes);
      if (file.modifiedAt !== null) {
        const time = new Date(file.modifiedAt);
        await handle.utimes(time, time);
      }
    } finally {
      await handle.close();
    }
    written.push(target);
    leftBytes -= file.sizeBytes;
    onLeft(leftBytes);
  }
  if (!(await bytes.isAtEnd())) throw wrongBatchSize();
  const { signal } = new AbortController();
  await forEachLimited(written, syncsAtOnce, signal, async (file) => await syncFile(file));
  await forEachLimited([...folders], syncsAtOnce, signal, async (folderPath) => await syncFolder(folderPath));
}

/** Returns the paths of the direct entries of a dropped folder. */
export async function entriesOf(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).map((name) => path.join(folder, name));
}

/** Splits a stream into pieces of given lengths. */
class Pieces {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(body: Readable) {
    this.#chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  async copyTo(handle: FileHandle, sizeBytes: number): Promise<void> {
    let left = sizeBytes;
    while (left > 0) {
      if (this.#rest.byteLength === 0 && !(await this.#more())) throw wrongBatchSize();
      const now = this.#rest.subarray(0, Math.min(left, this.#rest.byteLength));
      // `write` may write only a part of the chunk.
      const { bytesWritten } = await handle.write(now);
      this.#rest = this.#rest.subarray(bytesWritten);
      left -= bytesWritten;
    }
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.byteLength === 0) if (!(await this.#more())) return true;
    return false;
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = next.value;
    return true;
  }
}

async function syncFile(filePath: string): Promise<void> {
  const handle = await open(filePath, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unsafeName(): Error {
  return failure('invalid-argument', 'One of the names is not valid for a file on this computer.', {
    reason: 'drop-unsafe-name',
    retry: 'after-fix',
  });
}

function wrongBatchSize(): Error {
  return failure('invalid-argument', 'The size of the received files differs from the announced size.', {
    reason: 'drop-wrong-size',
    retry: 'after-fix',
  });
}

export async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

export function noSpace(message: string, cause?: unknown): Error {
  return failure('storage', message, { reason: 'drop-no-space', retry: 'after-fix', cause });
}

export function wrongSize(): Error {
  return failure('invalid-argument', 'The size of the received file differs from the announced size.', {
    reason: 'drop-wrong-size',
    retry: 'after-fix',
  });
}

export function storageFailure(thrown: unknown): unknown {
  switch (codeOf(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return noSpace('The disk of the data folder is full.', thrown);
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
    case 'ABORT_ERR':
      return failure('cancelled', 'The upload of the dropped file was interrupted.', { cause: thrown });
    case null:
      return thrown;
    default:
      return failure('storage', 'The copy of the dropped file could not be written.', {
        reason: 'drop-not-written',
        retry: 'after-fix',
        cause: thrown,
      });
  }
}
