import type { AppError } from '../../../../shared/errors.ts';
import type { UploadRef } from '../../../../shared/models/uploads.ts';
import type { ItemContext } from '../../transfers/items/item-context.ts';
import { itemOfWork, type StalledItem, type TransferJob } from '../../transfers/items/transfer-job.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';

export function refOf({ connectionId }: TransferJob, { bucket, key, uploadId }: StalledItem): UploadRef {
  return { connectionId, bucket, key, uploadId };
}

/** Works on each upload of a job. They are written down before the job itself. */
export function eachUpload(
  deps: OperationDeps,
  work: (context: ItemContext, item: StalledItem) => Promise<StalledItem>,
): Strategy {
  return {
    prepare: () => Promise.resolve({ kind: 'prepared' }),
    begin: async (job) => {
      const client = await deps.clientOf(job.connectionId);
      return {
        parallel: client.pace,
        isLarge: () => false,
        work: async (context, item) => await work(context, itemOfWork(item, 'stalled')),
      };
    },
  };
}

/** The upload is not there any more, or its whole bucket. */
export function isGone({ code, reason }: AppError): boolean {
  return code === 'upload-gone' || reason === 'no-such-bucket';
}
