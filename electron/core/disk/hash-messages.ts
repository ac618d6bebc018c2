import { failure } from '../../../shared/errors.ts';
import type { LocalSource } from './fence.ts';
import type { ChecksumAlgorithm, PartChecksums } from './checksums.ts';

export interface HashTask extends LocalSource {
  readonly kind: 'hash';
  readonly id: number;
  readonly offset: number;
  readonly sizeBytes: number;
  /** Computed in the same pass as the MD5. */
  readonly algorithm: ChecksumAlgorithm | null;
  /** Memory that keeps the hashed bytes, so that exactly these are sent. */
  readonly into?: SharedArrayBuffer;
}

/** Slices of similar length, hashed in parallel lanes. */
export interface HashTogetherTask {
  readonly kind: 'hash-together';
  readonly id: number;
  readonly slices: readonly Pick<HashTask, 'path' | 'within' | 'offset' | 'sizeBytes'>[];
}

/** The outcome of one slice; `stopped` if the task was dropped before its end. */
export type SliceOutcome = { readonly md5: string } | FileFailure | 'stopped';

/** Reads a whole file of at most `maxBytes`; only describes a larger one. */
export interface ReadTask extends LocalSource {
  readonly kind: 'read';
  readonly id: number;
  readonly maxBytes: number;
  /** The checksum to compute in addition to the MD5; null: none. */
  readonly algorithm: ChecksumAlgorithm | null;
}

/** A small file to write under a temporary name, sync and rename to its final name. */
export interface PlaceRequest {
  readonly part: string;
  readonly target: string;
  /** Real path of the folder that must contain the file. */
  readonly within?: string | undefined;
  readonly bytes: Uint8Array;
  /** Modification time in seconds since 1970; null leaves the current time. */
  readonly seconds: number | null;
  /** True if an existing file of that name may be replaced. */
  readonly mayReplace: boolean;
}

/** Small files for a thread, in one message: a message, and each buffer in it, costs more than the work on a file. */
export interface PackedFiles {
  readonly files: readonly Omit<PlaceRequest, 'bytes'>[];
  readonly sizesBytes: readonly number[];
  /** The bytes of all files, concatenated. Transferred, not copied. */
  readonly memory: Uint8Array<ArrayBuffer>;
}

/** Places small files. */
export interface PlaceTask {
  readonly kind: 'place';
  readonly id: number;
  readonly packed: PackedFiles;
}

export interface FileFailure {
  readonly code: string | null;
  readonly message: string;
}

/** The outcome of one file. `isTaken`: the name exists already and was not replaced. */
export type Placed = { readonly isTaken: boolean } | FileFailure;

/** Writes small files without syncing them: the first half of placing. */
export interface WriteTask {
  readonly kind: 'write';
  readonly id: number;
  readonly packed: PackedFiles;
}

/** Number of the device that holds the file. */
export type Written = { readonly device: number } | FileFailure;

export interface NameRequest extends Omit<PlaceRequest, 'bytes' | 'seconds'> {
  /** False if the file must be synced before it is renamed. */
  readonly isSafe: boolean;
}

/** Renames the files: the second half of placing. */
export interface NameTask {
  readonly kind: 'name';
  readonly id: number;
  readonly files: readonly NameRequest[];
}

/** Writes a block of a piece at its position and hashes it. The blocks of a piece arrive in order. */
export interface BlockTask {
  readonly kind: 'block';
  readonly id: number;
  readonly piece: number;
  /** File descriptor in this process, open until every block was answered. */
  readonly fd: number;
  readonly position: number;
  /** Transferred with the task and returned with the answer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Size of the parts to hash, counted from the start of the piece; null if no MD5s are needed. */
  readonly partBytes: number | null;
}

/** Ends a piece; the answer contains its MD5s. */
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
  /** null if the file is larger than `maxBytes`. */
  readonly content: {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly md5: Uint8Array;
    readonly checksums: PartChecksums;
  } | null;
}

export type HashAnswer =
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

export function mixedUp(): Error {
  return failure('internal', 'A thread answered another question.');
}

/** The hashes of a slice of the file. */
export interface SliceHash {
  readonly md5: string;
  readonly checksums: PartChecksums;
}
