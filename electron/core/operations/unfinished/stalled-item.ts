import type { AppError } from '../../../../shared/errors.ts';
import type { UploadRef } from '../../../../shared/models/uploads.ts';
import type { StalledItem, TransferJob } from '../../transfers/items/transfer-job.ts';
import type { TransferEvent } from '../../transfers/items/transfer-transition.ts';

export function refOf({ connectionId }: TransferJob, { bucket, key, uploadId }: StalledItem): UploadRef {
  return { connectionId, bucket, key, uploadId };
}

/** The uploads of a job are written down before the job itself. */
export function listIsWritten(): Promise<TransferEvent> {
  return Promise.resolve({ kind: 'prepared' });
}

/** The upload is not there any more, or its whole bucket. */
export function isGone({ code, reason }: AppError): boolean {
  return code === 'upload-gone' || reason === 'no-such-bucket';
}
