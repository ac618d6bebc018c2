import { toAppError } from '../../../shared/errors.ts';
import { probePathOf, removeFile } from '../disk/local-files.ts';
import type { NewAttempt } from '../jobs/job.ts';
import { failedAttempt } from '../jobs/log-request.ts';
import { partPathOf } from './downloads/download-item.ts';
import { localFileFailure } from '../disk/disk-failure.ts';
import type { ItemStore } from './items/item-store.ts';
import { itemOfWork } from './items/transfer-item.ts';
import type { TransferJob } from './items/transfer-job.ts';
import { maxUnsettled } from './pass.ts';

/**
 * Deletes the partial files of a download: those of large items that started, and those of small items that a crash may have
 * interrupted.
 */
export async function removeHalfFiles(
  items: ItemStore,
  { id, folder }: TransferJob,
  log: (attempt: NewAttempt) => void,
): Promise<void> {
  if (folder === null) return;
  const begun = [...items.begun(id), ...items.inState(id, 'todo', -1, maxUnsettled)];
  const paths = begun.map((item) => partPathOf(id, folder, itemOfWork(item, 'download')));
  for (const file of [probePathOf(folder, id), ...paths]) {
    try {
      await removeFile(file);
    } catch (thrown) {
      // The job ends even if a partial file cannot be deleted. The file's name shows which job left it.
      log(failedAttempt('remove-half-file', null, toAppError(localFileFailure(thrown))));
    }
  }
}
