import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import type { BodySource } from '../ports.ts';
import type { BandwidthLimiter } from '../flow/bandwidth.ts';
import { openToRead, type LocalSource } from './fence.ts';
import { danglingLink, isSymbolicLink, readFailure } from './read-failure.ts';

/**
 * Reads the current state of a file. Its size, mtime, ctime and inode reveal changes. Throws `AppError('storage')` when the
 * file is missing, unreadable or no regular file.
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
      sizeBytes: Number(found.size),
      mtimeNs: String(found.mtimeNs),
      ctimeNs: String(found.ctimeNs),
      inode: String(found.ino),
    };
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) {
      if (thrown.code === 'ENOENT' && (await isSymbolicLink(filePath))) throw danglingLink();
      throw readFailure(String(thrown.code));
    }
    throw thrown;
  }
}

/** Throws `AppError('storage')` when the file changed since it was planned, or its path is unknown (rclone#1250). */
export async function checkUnchanged(file: JobFile): Promise<void> {
  if (file.path === null)
    throw failure('storage', 'The local file has to be given again.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  const now = await lookAtFile({ path: file.path, within: file.within });
  if (now.sizeBytes === file.sizeBytes && isSameFile(file, now)) return;
  throw failure('storage', 'The local file has changed since the plan was made.', {
    reason: 'file-changed',
    retry: 'after-fix',
  });
}

type FileTimes = Pick<JobFile, 'mtimeNs' | 'ctimeNs' | 'inode'>;

/** Compares inode and times. The mtime can be restored after a change (touch -r, rsync --times), the ctime cannot. */
export function isSameFile(before: FileTimes, now: FileTimes): boolean {
  const isSameChange =
    before.ctimeNs === undefined || now.ctimeNs === undefined || before.ctimeNs === now.ctimeNs;
  return before.mtimeNs === now.mtimeNs && before.inode === now.inode && isSameChange;
}

export interface SliceOptions {
  readonly file: LocalSource;
  readonly offset: number;
  readonly sizeBytes: number;
  /** The slice's bytes, if they are in memory already. */
  readonly bytes: Uint8Array | null;
  readonly limiters: readonly BandwidthLimiter[];
  readonly signal: AbortSignal;
  /** Called with the number of bytes sent in this try, from zero with each try. */
  readonly onBytes: (bytesOfThisTry: number) => void;
}

const readBytes = 256 * 1024;

/** Creates a request body from a slice of a file. It can be reopened for each try. */
export function sliceBody(options: SliceOptions): BodySource {
  return {
    sizeBytes: options.sizeBytes,
    open: () =>
      options.sizeBytes === 0
        ? new Uint8Array(0)
        : Readable.from(passing(options), { objectMode: false, highWaterMark: readBytes }),
  };
}

async function* passing(options: SliceOptions): AsyncGenerator<Uint8Array> {
  const source = options.bytes === null ? readSlice(options) : piecesOf(options.bytes);
  let passed = 0;
  for await (const chunk of source) {
    for (const limiter of options.limiters) await limiter.take(chunk.byteLength, options.signal);
    passed += chunk.byteLength;
    options.onBytes(passed);
    yield chunk;
  }
}

async function* readSlice({ file, offset, sizeBytes }: SliceOptions): AsyncGenerator<Uint8Array> {
  const handle = await openToRead(file).catch((thrown: unknown) => {
    throw readFailure(thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null);
  });
  // The stream closes the handle.
  yield* handle.createReadStream({ start: offset, end: offset + sizeBytes - 1, highWaterMark: readBytes });
}

/** Yields views of the bytes, not copies. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += readBytes)
    yield bytes.subarray(start, Math.min(start + readBytes, bytes.byteLength));
}

/** The file that a job sends, with its properties at the time of the plan. */
export const jobFileSchema = z.object({
  path: z.string().nullable(),
  /** Real path of the folder that must contain the file; absent if the user chose the file itself. */
  within: z.string().optional(),
  name: z.string(),
  sizeBytes: z.number(),
  /** Decimal: nanoseconds do not fit a number. */
  mtimeNs: z.string(),
  /** The time of the inode's last change. Records of earlier versions have none. */
  ctimeNs: z.string().optional(),
  inode: z.string(),
});

export type JobFile = Readonly<z.infer<typeof jobFileSchema>>;
