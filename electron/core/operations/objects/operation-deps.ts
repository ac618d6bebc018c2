import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { TransferDeps } from '../../transfers/items/item-context.ts';

export interface Absent {
  tags: boolean;
  /** CopyObject of what is encrypted with a key: Ceph copies it in parts alone (ceph#63794). */
  keyedCopies: boolean;
  /** CopyObject or UploadPartCopy: the bytes go through this computer. */
  copies: boolean;
  /** Resolves to true if no object has an ACL; null if not known yet. */
  acls: Promise<boolean> | null;
}

export interface ClaimedUpload {
  /** The Complete of an earlier job may still be running: no other before this moment. */
  readonly quietUntilMs: number;
  readonly giveBack: () => void;
}

export interface OperationDeps extends TransferDeps {
  /** The largest object for one CopyObject; tests use less. */
  readonly largestCopyBytes: number;
  /** From this size on what goes through this computer is sent in parts; tests take less. */
  readonly partsFromBytes: number;
  /** How large those parts are to be; null: as is usual. */
  readonly partSizeBytes: () => number | null;
  /** Number of objects from which they are checked by listings and persisted together; smaller in tests. */
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
