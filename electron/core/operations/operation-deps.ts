import type { TransferDeps } from '../transfers/item-context.ts';

export interface OperationDeps extends TransferDeps {
  /** What one CopyObject may copy; tests take less. */
  readonly largestCopyBytes: number;
  /** From this size on what goes through this computer is sent in parts; tests take less. */
  readonly partsFromBytes: number;
}

/** S3's limit for CopyObject, and for one UploadPartCopy (API_CopyObject). */
export const largestCopyBytes = 5 * 1024 ** 3;
