import type { PartChecksums } from '../../disk/checksums.ts';
import type { AppError } from '../../../../shared/errors.ts';

/**
 * The conditions of a Complete request: the key must be free (If-None-Match), or hold the object that was seen before (If-Match).
 * S3 API, CompleteMultipartUpload.
 */
export const conditions = ['none', 'free', 'as-seen'] as const;

/**
 * The refusals of a Complete request after which it is sent again differently: its condition does not hold, the service does not
 * support the condition, it does not take the checksum, or the content differs from the checksum.
 */
export const refusals = ['taken', 'condition', 'checksum', 'damaged'] as const;

export type CompleteCondition = (typeof conditions)[number];

export type CompleteRefusal = (typeof refusals)[number];

/** The state of the key according to HEAD. */
export type HeadSeen =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'present';
      readonly sizeBytes: number;
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly versionId: string | null;
      /** True if the object is encrypted with KMS or a customer's key. Its ETag then looks like an MD5 but is not one. */
      readonly etagIsNotMd5: boolean;
    }
  | { readonly kind: 'unreadable'; readonly error: AppError };

/** The planned completion. It is stored before the Complete request is sent. */
export interface Intent {
  readonly partCount: number;
  readonly totalSizeBytes: number;
  readonly expectedEtag: string | null;
  /** True if every part was compared with a local file, or sent by this program with its MD5. */
  readonly partsVerified: boolean;
  /** The checksums of all bytes, combined from those of the parts that were sent. Empty if unknown. */
  readonly checksums: PartChecksums;
  /** True if the Complete request carries the checksum, so that the service compares it. */
  readonly sendsChecksums: boolean;
  readonly initiatedAt: string | null;
  readonly before: HeadSeen;
  readonly condition: CompleteCondition;
}

/** The known results of the Complete requests sent so far. */
export interface Sent {
  /** The response that reported success. Some servers (Ceph) send an empty ETag or none. */
  readonly answer: {
    readonly etag: string | null;
    /** True if the response contained the expected checksum of the whole object. */
    readonly isProved: boolean;
  } | null;
  /**
   * The last time at which a Complete request ended with a broken connection, timeout or gateway error, so that it may still be
   * running; null if none did.
   */
  readonly doubtAtMs: number | null;
  /** The refusal of the last Complete request; null if it was not refused. */
  readonly refusal: CompleteRefusal | null;
  /** How many Complete requests in a row the service rejected because it did not know the upload. */
  readonly goneAnswers: number;
  /** The number of earlier Complete requests that reported success but made no object. */
  readonly idleAnswers: number;
}
