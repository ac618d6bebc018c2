import type { Collected } from '../frame/bytes.ts';

/** Limit of decompressed content, which stays in memory. */
export const maxDecompressedBytes = 32 * 1024 * 1024;

export type Compression = 'gzip' | 'zstd' | 'bzip2' | 'xz' | 'brotli' | 'zlib' | 'deflate';

/** The beginning of the decompressed content, and a problem with it, if any. */
export interface Unpacked extends Collected {
  readonly remark: Remark | null;
}

/** A problem with a compressed file that could at least partly be decompressed. */
export type Remark =
  /** The decompressed bytes do not match the checksum. */
  | 'checksum'
  /** Unrelated bytes follow the compressed data. */
  | 'trailing'
  /** The file is cut off. */
  | 'ends-early'
  /** The decoder failed in the middle. */
  | 'damaged';

/** Thrown for valid data whose filters or checksums the decoder does not support. */
export class UnknownCompression extends Error {
  override readonly name = 'UnknownCompression';

  constructor() {
    super('The kind of compression is not known here.');
  }
}

export type ByteSink = (bytes: Uint8Array) => void;

/** A decoder that takes compressed bytes in pieces, and throws for bytes that it cannot decode. */
export interface Unpacker {
  /** Decodes bytes and passes the output to `out` before it returns. Returns null while the decoder accepts more. */
  readonly push: (bytes: Uint8Array) => Remark | null;
  /** Ends the input. */
  readonly end: () => Remark | null;
}

/** Messages from the window to the decompressing worker. Each gets one response. */
export type ToUnpacker =
  | {
      readonly kind: 'begin';
      readonly compression: Compression;
      readonly sizeBytes: number;
      readonly maxBytes: number;
    }
  /** The bytes that the worker requested. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

export type FromUnpacker =
  | { readonly kind: 'read'; readonly offset: number; readonly length: number }
  | { readonly kind: 'done'; readonly unpacked: Unpacked }
  | { readonly kind: 'damaged' }
  /** Valid data that the decoder does not support. */
  | { readonly kind: 'unknown' };
