import type { RangeSource } from '../frame/range-source.ts';

/** One file in an archive. */
export interface ArchiveEntry {
  /** The name as written in the archive, even if it points outside it. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Unpacked. */
  readonly sizeBytes: number;
  readonly packedBytes: number;
  /** Milliseconds since 1970; null where the archive does not say. */
  readonly modifiedMs: number | null;
  /** null: it can be opened. */
  readonly closed: 'encrypted' | 'method' | 'link' | null;
  /** Opens the content, which is read or decompressed on demand. */
  open(signal: AbortSignal): Promise<OpenedEntry>;
}

export interface OpenedEntry {
  readonly source: RangeSource;
  /** The content does not match the checksum or the size that the archive has for it. */
  readonly isDamaged: boolean;
}

/** An archive's list as far as it was read. */
export interface ArchiveList {
  readonly entries: readonly ArchiveEntry[];
  /** There are more than are shown. */
  readonly isCut: boolean;
  /** Some names are in an encoding that the archive does not tell. */
  readonly hasUnknownNames: boolean;
}

/** More entries are not listed, and the window says so. */
export const mostEntries = 100_000;
/** More of an entry is not unpacked into memory. */
export const maxExtractedBytes = 64_000_000;

/** The bytes are not what the format demands. */
export class BadFormat extends Error {
  override readonly name = 'BadFormat';
}

/** An entry is larger, unpacked, than what is unpacked in memory. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** A part of a source as a source. */
export function partOf(source: RangeSource, start: number, sizeBytes: number): RangeSource {
  const end = Math.min(start + sizeBytes, source.sizeBytes);
  const size = Math.max(0, end - start);
  return {
    sizeBytes: size,
    etag: source.etag,
    get asked() {
      return source.asked;
    },
    read: async (offset, length, signal) =>
      await source.read(start + offset, Math.max(0, Math.min(length, size - offset)), signal),
    stream: async (offset, signal) => limited(await source.stream(start + offset, signal), size - offset),
  };
}

function limited(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  sizeBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let left = sizeBytes;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = left > 0 ? await reader.read() : { done: true, value: undefined };
      if (done || value === undefined) {
        controller.close();
        await reader.cancel();
        return;
      }
      const part = value.subarray(0, left);
      left -= part.length;
      controller.enqueue(part);
    },
    cancel: async (reason) => {
      await reader.cancel(reason);
    },
  });
}
