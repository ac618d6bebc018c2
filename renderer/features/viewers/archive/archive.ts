import { streamFrom } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import type { FeedState } from '../records/record-feed.ts';

/** One file in an archive. */
export interface ArchiveEntry {
  /** The name as written in the archive, even if it points outside it. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Decompressed size. */
  readonly sizeBytes: number;
  readonly packedBytes: number;
  /** The time of modification in milliseconds since 1970, or null if the archive does not state it. */
  readonly modifiedMs: number | null;
  /** The reason why the entry cannot be opened, or null if it can be. */
  readonly closed: 'encrypted' | 'method' | 'link' | null;
  /** Opens the content, which is read or decompressed on demand. */
  open(signal: AbortSignal): Promise<OpenedEntry>;
}

export interface OpenedEntry {
  readonly source: RangeSource;
  /** True if the content does not match the checksum or the size in the archive. */
  readonly isDamaged: boolean;
}

/** The entries of an archive that were read so far. */
export interface ArchiveList {
  /** Entries are only appended, never changed. */
  readonly entries: readonly ArchiveEntry[];
  readonly state: FeedState;
  /** True if some names are in an encoding that the archive does not state. */
  readonly hasUnknownNames: boolean;
}

/** Limit of listed entries. The window says whether there are more. */
export const maxEntries = 100_000;
/** Limit for an entry that is decompressed into memory. */
export const maxExtractedBytes = 64 * 1024 * 1024;

/** Thrown if the list of entries is encrypted. */
export class EncryptedDirectory extends Error {
  override readonly name = 'EncryptedDirectory';

  constructor() {
    super('The directory of the archive is encrypted.');
  }
}

/** Thrown if an entry is too large to be decompressed into memory. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Returns a range of a source as a source. */
export function partOf(source: RangeSource, start: number, sizeBytes: number): RangeSource {
  const end = Math.min(start + sizeBytes, source.sizeBytes);
  const size = Math.max(0, end - start);
  return {
    sizeBytes: size,
    read: async (offset, length, signal) =>
      await source.read(start + offset, Math.max(0, Math.min(length, size - offset)), signal),
    stream: async (offset, signal) =>
      limited(await streamFrom(source, start + offset, signal), size - offset),
  };
}

function limited(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  sizeBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = sizeBytes;
  const limiter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      if (left <= 0) controller.terminate();
    },
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
  return stream.pipeThrough(limiter);
}
