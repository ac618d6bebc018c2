import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { TransferDeps } from '../../transfers/items/item-context.ts';

export interface Absent {
  tags: boolean;
  /** CopyObject of objects encrypted with a key: Ceph copies them only in parts (ceph#63794). */
  keyedCopies: boolean;
  /** CopyObject or UploadPartCopy. Without them the bytes go through this computer. */
  copies: boolean;
  /** Resolves to true if no object has an ACL; null if not known yet. */
  acls: Promise<boolean> | null;
}

export interface ClaimedUpload {
  /** No Complete request is sent before this time, because that of an earlier job may still be running. */
  readonly quietUntilMs: number;
  readonly giveBack: () => void;
}

export interface OperationDeps extends TransferDeps {
  /** The largest object for one CopyObject; tests use less. */
  readonly largestCopyBytes: number;
  /** Objects of at least this size that go through this computer are sent in parts; smaller in tests. */
  readonly partsFromBytes: number;
  /** Returns the size of those parts; null for the default. */
  readonly partSizeBytes: () => number | null;
  /** From this number of objects on, listings check them and they are persisted together; smaller in tests. */
  readonly togetherFrom: number;
  /**
   * Locks an unfinished upload for an item of a job until `giveBack`. Cancels another job of it if requested. Throws
   * AppError('conflict') if a job is working on it, or if its completion is uncertain.
   */
  readonly claimUpload: (
    ref: UploadRef,
    jobId: string,
    others: 'cancel' | 'refuse',
  ) => Promise<ClaimedUpload>;
  /** Deletes an empty bucket. Throws AppError('conflict') if it is not empty. */
  readonly removeBucket: (place: { readonly connectionId: string; readonly bucket: string }) => Promise<void>;
}

/** Below this number of objects each is checked separately, which proves more than a listing. */
export const togetherFrom = 20;

/** S3's limit for CopyObject, and for one UploadPartCopy (API_CopyObject). */
export const largestCopyBytes = 5 * 1024 ** 3;
