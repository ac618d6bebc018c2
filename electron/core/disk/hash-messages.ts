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

/** Several slices of about one length, whose MD5s are computed side by side. */
export interface HashTogetherTask {
  readonly kind: 'hash-together';
  readonly id: number;
  readonly slices: readonly Pick<HashTask, 'path' | 'within' | 'offset' | 'sizeBytes'>[];
}

/** The outcome of one slice; `stopped` if the task was dropped before its end. */
export type SliceOutcome = { readonly md5: string } | FileFailure | 'stopped';

/** Reads a file of at most `maxBytes` as a whole; a larger one is only looked at. */
export interface ReadTask extends LocalSource {
  readonly kind: 'read';
  readonly id: number;
  readonly maxBytes: number;
}

/** A small file to write under a temporary name, sync and rename to its final name. */
export interface PlaceRequest {
  readonly part: string;
  readonly target: string;
  /** The folder that it has to end in, a real path. */
  readonly within?: string | undefined;
  readonly bytes: Uint8Array;
  /** The file's time, in seconds since 1970; null: now. */
  readonly seconds: number | null;
  /** True if an existing file of that name may be replaced. */
  readonly mayReplace: boolean;
}

/** Small files on their way to a thread: a message costs more than the work on one, and so does each piece of memory in it. */
export interface PackedFiles {
  readonly files: readonly Omit<PlaceRequest, 'bytes'>[];
  readonly sizesBytes: readonly number[];
  /** The bytes of all, one file after the other; it changes hands. */
  readonly memory: Uint8Array<ArrayBuffer>;
}

/** Several of them. */
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

/** The first half of that: they are written, and may be lost. */
export interface WriteTask {
  readonly kind: 'write';
  readonly id: number;
  readonly packed: PackedFiles;
}

/** The number of the disk that it is on. */
export type Written = { readonly device: number } | FileFailure;

export interface NameRequest extends Omit<PlaceRequest, 'bytes' | 'seconds'> {
  /** False: it is made safe before it gets its name. */
  readonly isSafe: boolean;
}

/** The second half. */
export interface NameTask {
  readonly kind: 'name';
  readonly id: number;
  readonly files: readonly NameRequest[];
}

/** Writes a block of a piece where it belongs, and hashes it. The blocks of a piece come in their order. */
export interface BlockTask {
  readonly kind: 'block';
  readonly id: number;
  readonly piece: number;
  /** Open in this process, until every block was answered. */
  readonly fd: number;
  readonly position: number;
  /** Its memory comes with the task, and goes back with the answer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** MD5s of so many bytes each, from the beginning of the piece; null: none are wanted. */
  readonly partBytes: number | null;
}

/** No more blocks of this piece come; the answer holds its MD5s. */
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
  /** null: it is larger than was asked for. */
  readonly content: { readonly bytes: Uint8Array<ArrayBuffer>; readonly md5: Uint8Array } | null;
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
