import { failure } from '../../../../shared/errors.ts';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { UploadJob } from '../../multipart/upload-job.ts';
import { settled, type ItemContext } from '../../transfers/items/item-context.ts';
import { uploadFailureOf } from '../../transfers/items/run-upload.ts';
import type { TransferJob } from '../../transfers/items/transfer-job.ts';
import { itemOfWork, type StalledItem } from '../../transfers/items/transfer-item.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';

export function stalledItemRef(
  { connectionId }: TransferJob,
  { bucket, key, uploadId }: StalledItem,
): UploadRef {
  return { connectionId, bucket, key, uploadId };
}

/** Returns a strategy that calls `work` for each upload of a job. The uploads were stored as items before the job. */
export function eachUpload(
  deps: OperationDeps,
  work: (context: ItemContext, item: StalledItem) => Promise<StalledItem>,
  options: { readonly sendsParts: boolean } = { sendsParts: false },
): Strategy {
  return {
    prepare: () => Promise.resolve({ kind: 'prepared' }),
    begin: async (job) => {
      const client = await deps.clientOf(job.connectionId);
      return {
        parallel: client.pace,
        isLarge: () => options.sendsParts,
        work: async (context, item) => await work(context, itemOfWork(item, 'stalled')),
      };
    },
  };
}

/**
 * Returns the item after its upload has stopped. For an upload that needs attention, calls `unfinished`. Throws the upload's
 * error if it ended without success.
 */
export function afterRun(
  { item, upload }: { readonly item: StalledItem; readonly upload: UploadJob },
  unfinished: (item: StalledItem, upload: UploadJob) => StalledItem,
): StalledItem {
  switch (upload.state) {
    case 'done':
      return settled(item, {
        state: 'done',
        sizeBytes: upload.progress.bytesTotal,
        verified: upload.outcome === 'completed' ? true : null,
      });
    case 'retry-scheduled':
    case 'verifying-outcome':
      return { ...item, dueMs: upload.dueMs ?? 0, error: upload.error };
    case 'paused':
      throw uploadFailureOf(upload);
    case 'needs-attention':
      return unfinished(item, upload);
    default:
      throw failure('internal', `An unfinished upload stopped in the state ${upload.state}.`);
  }
}
