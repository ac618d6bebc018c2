import { failure } from '../../../shared/errors.ts';
import type { LocalSource } from './fence.ts';
import type { PlannedSource } from './planned-file.ts';
import type { ChecksumAlgorithm, PartChecksums } from './checksums.ts';

export interface HashTask extends PlannedSource {
  readonly kind: 'hash';
  readonly id: number;
  readonly offset: number;
  readonly sizeBytes: number;
  /** The checksum to compute in the same pass as the MD5; null for none. */
  readonly algorithm: ChecksumAlgorithm | null;
}

/** Slices of similar length, to be hashed in parallel lanes. */
export interface HashTogetherTask {
  readonly kind: 'hash-together';
  readonly id: number;
  readonly slices: readonly Pick<HashTask, 'path' | 'within' | 'planned' | 'offset' | 'sizeBytes'>[];
}

/** The result for one slice; `stopped` if the task ended early. */
export type SliceOutcome = { readonly md5: string } | FileFailure | 'stopped';

/** Reads a whole file of at most `maxBytes`. For a larger file, returns only its properties. */
export interface ReadTask extends LocalSource {
  readonly kind: 'read';
  readonly id: number;
  readonly maxBytes: number;
  /** The checksum to compute in addition to the MD5; null for none. */
  readonly algorithm: ChecksumAlgorithm | null;
}

/** A small file to write under a temporary name, flush to disk, and rename to its final name. */
export interface PlaceRequest {
  readonly part: string;
  readonly target: string;
  /** The real path of the folder that must contain the file. */
  readonly within?: string | undefined;
  readonly bytes: Uint8Array;
  /** The modification time in seconds since 1970; null keeps the current time. */
  readonly seconds: number | null;
  /** True if an existing file of that name may be replaced. */
  readonly mayReplace: boolean;
}

/** Small files for a thread in one message, because a message, and each buffer in it, costs more than the work on a file. */
interface PackedFiles {
  readonly files: readonly Omit<PlaceRequest, 'bytes'>[];
  readonly sizesBytes: readonly number[];
  /** The bytes of all files, concatenated. The buffer is transferred, not copied. */
  readonly memory: Uint8Array<ArrayBuffer>;
}

/** Writes, flushes and renames small files. */
export interface PlaceTask {
  readonly kind: 'place';
  readonly id: number;
  readonly packed: PackedFiles;
}

export interface FileFailure {
  readonly code: string | null;
  readonly message: string;
}

/** The result for one file. `isTaken`: a file with that name exists and was not replaced. */
export type Placed = { readonly isTaken: boolean } | FileFailure;

/** Writes small files without flushing them. NameTask does the rest. */
export interface WriteTask {
  readonly kind: 'write';
  readonly id: number;
  readonly packed: PackedFiles;
}

/** The number of the device that contains the written file, or the failure. */
export type Written = { readonly device: number } | FileFailure;

export interface NameRequest extends Omit<PlaceRequest, 'bytes' | 'seconds'> {
  /** False if the file must be flushed before its rename. */
  readonly isSafe: boolean;
}

/** Renames files that a WriteTask wrote. */
export interface NameTask {
  readonly kind: 'name';
  readonly id: number;
  readonly files: readonly NameRequest[];
}

/** Writes a block of a piece at its position and hashes it. The blocks of a piece must arrive in order. */
export interface BlockTask {
  readonly kind: 'block';
  readonly id: number;
  readonly piece: number;
  /** The file descriptor in this process. It must stay open until every block has been answered. */
  readonly fd: number;
  readonly position: number;
  /** The block. Its buffer is transferred with the task and returned with the answer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The size of the parts to hash, counted from the start of the piece; null if no MD5s are needed. */
  readonly partBytes: number | null;
}

/** Ends a piece. The answer contains its MD5s. */
export interface EndPieceTask {
  readonly kind: 'end-piece';
  readonly id: number;
  readonly piece: number;
}

export type ThreadTask = HashTask | HashTogetherTask | ReadTask | PlaceTask | WriteTask | NameTask;
export type PieceTask = BlockTask | EndPieceTask;

export interface WholeFile {
  readonly isFile: boolean;
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  readonly ctimeNs: string;
  readonly inode: string;
  /** The content; null if the file is larger than `maxBytes`. */
  readonly content: {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly md5: Uint8Array;
    readonly checksums: PartChecksums;
  } | null;
}

export type HashResponse =
  | { readonly id: number; readonly kind: 'progress'; readonly bytes: number }
  | { readonly id: number; readonly kind: 'progress-together'; readonly bytes: readonly number[] }
  | { readonly id: number; readonly kind: 'hashed'; readonly slices: readonly SliceOutcome[] }
  | { readonly id: number; readonly kind: 'done'; readonly md5: string; readonly checksum: string | null }
  | { readonly id: number; readonly kind: 'read'; readonly file: WholeFile }
  | { readonly id: number; readonly kind: 'placed'; readonly files: readonly Placed[] }
  | { readonly id: number; readonly kind: 'written'; readonly files: readonly Written[] }
  | { readonly id: number; readonly kind: 'stored'; readonly memory: ArrayBuffer }
  | { readonly id: number; readonly kind: 'piece'; readonly md5s: readonly string[] }
  | { readonly id: number; readonly kind: 'cancelled' }
  | { readonly id: number; readonly kind: 'failed'; readonly code: string | null; readonly message: string };

export function unexpectedThreadResponse(): Error {
  return failure('internal', 'A thread returned the result of another request.');
}

/** The hashes of a slice of the file. */
export interface SliceHash {
  readonly md5: string;
  readonly checksums: PartChecksums;
}

/** Copies the bytes of all files into one buffer, which can be transferred to a thread. */
export function packFiles(requests: readonly PlaceRequest[]): PackedFiles {
  const sizesBytes = requests.map(({ bytes }) => bytes.byteLength);
  const memory = new Uint8Array(sizesBytes.reduce((sum, bytes) => sum + bytes, 0));
  let start = 0;
  const files = requests.map(({ part, target, within, bytes, seconds, mayReplace }) => {
    memory.set(bytes, start);
    start += bytes.byteLength;
    return { part, target, within, seconds, mayReplace };
  });
  return { files, sizesBytes, memory };
}

/** Returns the files with views of the shared buffer. */
export function unpackFiles({ files, sizesBytes, memory }: PackedFiles): readonly PlaceRequest[] {
  let start = 0;
  return files.map((file, index) => {
    const end = start + (sizesBytes[index] ?? 0);
    const bytes = memory.subarray(start, end);
    start = end;
    return { ...file, bytes };
  });
}
