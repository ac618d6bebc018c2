import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { failure } from '../../../shared/errors.ts';
import type { BodySource } from '../ports.ts';
import type { BandwidthLimiter } from './bandwidth.ts';
import { readFailure } from './hash-pool.ts';
import type { JobFile } from './upload-job.ts';

/** What a file is now: its size, mtime and inode tell whether it is still the same. */
export async function lookAtFile(filePath: string): Promise<JobFile> {
  try {
    const found = await stat(filePath, { bigint: true });
    if (!found.isFile())
      throw failure('storage', 'This is not a file.', { reason: 'file-unreadable', retry: 'after-fix' });
    return {
      path: filePath,
      name: path.basename(filePath),
      sizeBytes: Number(found.size),
      mtimeNs: String(found.mtimeNs),
      inode: String(found.ino),
    };
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) throw readFailure(String(thrown.code), thrown.message);
    throw thrown;
  }
}

/** Rejects when the file is not what it was when the plan was made (rclone#1250). */
export async function checkUnchanged(file: JobFile): Promise<void> {
  if (file.path === null)
    throw failure('storage', 'The local file has to be given again.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  const now = await lookAtFile(file.path);
  if (now.sizeBytes === file.sizeBytes && now.mtimeNs === file.mtimeNs && now.inode === file.inode) return;
  throw failure('storage', 'The local file has changed since the plan was made.', {
    reason: 'file-changed',
    retry: 'after-fix',
  });
}

export interface SliceOptions {
  readonly filePath: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly limiters: readonly BandwidthLimiter[];
  /** Bytes handed to the network; begins again with each try. */
  readonly onBytes: (bytesOfThisTry: number) => void;
}

const readBytes = 1024 * 1024;

/** A slice of a file that can be opened again for each try; never in memory as a whole. */
export function sliceBody(options: SliceOptions): BodySource {
  return {
    sizeBytes: options.sizeBytes,
    open: () => {
      if (options.sizeBytes === 0) return new Uint8Array(0);
      const source = createReadStream(options.filePath, {
        start: options.offset,
        end: options.offset + options.sizeBytes - 1,
        highWaterMark: Math.min(readBytes, options.sizeBytes),
      });
      return metered(source, options);
    },
  };
}

function metered(source: Readable, options: SliceOptions): Readable {
  let passed = 0;
  const count = (chunk: Uint8Array): void => {
    passed += chunk.byteLength;
    options.onBytes(passed);
  };
  return Readable.from(passing(source, options.limiters, count), {
    objectMode: false,
    highWaterMark: readBytes,
  });
}

async function* passing(
  source: Readable,
  limiters: readonly BandwidthLimiter[],
  count: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    const bytes: Uint8Array = chunk;
    for (const limiter of limiters) await limiter.take(bytes.byteLength);
    count(bytes);
    yield bytes;
  }
}
