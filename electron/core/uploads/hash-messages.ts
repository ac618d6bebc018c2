import type { ChecksumAlgorithm } from '../s3/types.ts';

export interface HashTask {
  readonly id: number;
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  /** Computed beside the MD5. */
  readonly algorithm: ChecksumAlgorithm | null;
  /** Where the bytes are kept, so that exactly what was hashed is sent. */
  readonly into?: SharedArrayBuffer;
}

export type HashAnswer =
  | { readonly id: number; readonly kind: 'progress'; readonly bytes: number }
  | { readonly id: number; readonly kind: 'done'; readonly md5: string; readonly checksum: string | null }
  | { readonly id: number; readonly kind: 'cancelled' }
  | { readonly id: number; readonly kind: 'failed'; readonly code: string | null; readonly message: string };
