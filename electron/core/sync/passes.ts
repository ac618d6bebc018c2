import { batchKeys, deleterOf } from '../operations/deletions/deleter.ts';
import { always } from '../flow/limits.ts';
import type { ItemStore } from '../transfers/items/item-store.ts';
import type { PassWork } from '../transfers/transfer-strategies.ts';
import type { TransferJob } from '../transfers/items/transfer-job.ts';
import { itemOfWork } from '../transfers/items/transfer-item.ts';
import { removeObstacles, removeLocal } from './remove-local.ts';
import { removePlanned } from '../operations/deletions/delete.ts';

/** Adapts the processing of items to a synchronization to the bucket: uploads first, then deletions if all uploads succeeded. */
export function syncUp(job: TransferJob, pass: PassWork): PassWork {
  const whole = new WeakSet();
  const deleter = deleterOf(whole);
  let isRemoving = false;
  return {
    ...pass,
    isLarge: largeToCopy(pass),
    isOfAll: (thrown) => typeof thrown === 'object' && thrown !== null && whole.has(thrown),
    // Deletions wait for a shared request and use no connection, so many may run at once.
    get parallel() {
      return isRemoving ? always(batchKeys) : pass.parallel;
    },
    work: async (context, item) =>
      item.sync?.action === 'remove'
        ? await removePlanned(deleter, context, item)
        : await pass.work(context, item),
    release: (items) => {
      isRemoving = releaseDeletions(items, job.id);
      return isRemoving;
    },
  };
}

/** Adapts the processing of items to a synchronization to this computer, whose deletions remove local files. */
export function syncDown(job: TransferJob, pass: PassWork): PassWork {
  return {
    ...pass,
    isLarge: largeToCopy(pass),
    work: async (context, item) => {
      if (item.sync?.action === 'remove') return await removeLocal(context, itemOfWork(item, 'download'));
      if (item.sync?.isBlocked === true) await removeObstacles(context, itemOfWork(item, 'download'));
      return await pass.work(context, item);
    },
    release: (items) => releaseDeletions(items, job.id),
  };
}

/** Returns the test for large items. Deletions always count as small, because each is one short request. */
function largeToCopy(pass: PassWork): PassWork['isLarge'] {
  return (item) => item.sync?.action !== 'remove' && pass.isLarge(item);
}

/** Makes the deletions due, unless a copy failed or waits for the user's decision. */
function releaseDeletions(items: ItemStore, jobId: string): boolean {
  if (items.countOf(jobId, 'failed') > 0 || items.countOf(jobId, 'asking') > 0) return false;
  return items.release(jobId) > 0;
}
