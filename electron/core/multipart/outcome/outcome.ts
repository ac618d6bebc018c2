import type { PartChecksums } from '../../disk/checksums.ts';
import type { AppError } from '../../../../shared/errors.ts';

/**
 * The condition of a Complete request: the key is free (If-None-Match), or still holds the object seen (If-Match). S3 API,
 * CompleteMultipartUpload.
 */
export const conditions = ['none', 'free', 'as-seen'] as const;

/** Why the service refused a Complete request: the key is taken, or the condition is not supported. */
export const refusals = ['taken', 'condition'] as const;

export type CompleteCondition = (typeof conditions)[number];

export type CompleteRefusal = (typeof refusals)[number];

/** The object at the key, according to HEAD. */
export type HeadSeen =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'present';
      readonly sizeBytes: number;
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly versionId: string | null;
      /** Encrypted with KMS or a customer's key: its part ETags look like MD5 and are not. */
      readonly etagIsNotMd5: boolean;
    }
  | { readonly kind: 'unreadable'; readonly error: AppError };

/** The record written to disk before the POST. */
export interface Intent {
  readonly partCount: number;
  readonly totalSizeBytes: number;
  readonly expectedEtag: string | null;
  /** Every part was compared with a local file, or sent by this program with its MD5. */
  readonly partsVerified: boolean;
  /** The checksum of all bytes, combined from those of the parts and sent with the Complete request; empty if unknown. */
  readonly checksums: PartChecksums;
  readonly initiatedAt: string | null;
  readonly before: HeadSeen;
  readonly condition: CompleteCondition;
}

/** The outcomes of the Complete requests sent so far. */
export interface Sent {
  /** The response that reported success; `etag` is null or empty on some servers (Ceph). */
  readonly answer: {
    readonly etag: string | null;
    /** The response named the right checksum of all bytes. */
    readonly isProved: boolean;
  } | null;
  /**
   * When a Complete request last ended in a broken connection, a timeout or a gateway error, so that it may still be running.
   */
  readonly doubtAtMs: number | null;
  /** Refusal of the last Complete request only. */
  readonly refusal: CompleteRefusal | null;
  /** Number of consecutive Complete requests answered with "no such upload". */
  readonly goneAnswers: number;
  /** Number of earlier Complete requests that reported success and made no object. */
  readonly idleAnswers: number;
}
