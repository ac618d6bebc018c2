import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { TransferDeps } from '../../transfers/items/item-context.ts';

export interface Absent {
  tags: boolean;
  /** True if CopyObject fails for objects that are encrypted with a key, so that they must be copied in parts (ceph#63794). */
  keyedCopies: boolean;
  /** True if the service has no CopyObject or UploadPartCopy, so that the content must pass through this computer. */
  copies: boolean;
  /** Resolves to true if the service or the target bucket has no ACLs; null if no request has checked that yet. */
  acls: Promise<boolean> | null;
}

export interface ClaimedUpload {
  /** The time before which no Complete request may be sent, because one from an earlier job may still be running. */
  readonly quietUntilMs: number;
  readonly giveBack: () => void;
}

export interface OperationDeps extends TransferDeps {
  /** The size in bytes of the largest object for a single CopyObject request; smaller in tests. */
  readonly largestCopyBytes: number;
  /** The size in bytes from which an object that passes through this computer is sent in parts; smaller in tests. */
  readonly partsFromBytes: number;
  /** Returns the size of these parts, in bytes; null for the default. */
  readonly partSizeBytes: () => number | null;
  /** The number of objects from which a job checks them by listings and stores them together; smaller in tests. */
  readonly togetherFrom: number;
  /**
   * Locks an unfinished upload for a job until `giveBack` is called. With `cancel`, first cancels another job on it. Throws
   * `AppError('conflict')` if another job works on the upload, or may have completed it.
   */
  readonly claimUpload: (
    ref: UploadRef,
    jobId: string,
    others: 'cancel' | 'refuse',
  ) => Promise<ClaimedUpload>;
  /** Deletes a bucket. Throws AppError('conflict') if it is not empty. */
  readonly removeBucket: (place: { readonly connectionId: string; readonly bucket: string }) => Promise<void>;
}

/** Jobs with fewer objects check each one with HEAD, which proves more than a listing. */
export const togetherFrom = 20;

/** The maximum size of a source for CopyObject, and of a part for UploadPartCopy (API_CopyObject). */
export const largestCopyBytes = 5 * 1024 ** 3;
