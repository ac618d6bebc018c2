import { failure } from '../../../../shared/errors.ts';
import { saveItem, type ItemContext } from '../../transfers/items/item-context.ts';
import { uploadFailureOf, runUpload } from '../../transfers/items/run-upload.ts';
import type { StalledItem } from '../../transfers/items/transfer-item.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import { afterRun, eachUpload, stalledItemRef } from './stalled-item.ts';

/** Resumes uploads from their files, each by its stored plan, and completes them. Only missing parts are sent. */
export function resumeStrategy(deps: OperationDeps): Strategy {
  return eachUpload(deps, async (context, item) => await resumeItem(deps, context, item), {
    sendsParts: true,
  });
}

async function resumeItem(
  deps: OperationDeps,
  context: ItemContext,
  item: StalledItem,
): Promise<StalledItem> {
  const claim = await deps.claimUpload(stalledItemRef(context.job, item), context.job.id, 'refuse');
  try {
    const begun = afterOthers(context, item, claim.quietUntilMs);
    // The plan contains the object at the key that the user saw. No other object is replaced.
    return afterRun(await runUpload(context, begun, () => 'as-seen'), (now, upload) => ({
      ...now,
      state: 'failed',
      error: uploadFailureOf(upload).error,
      // A retry uses the same plan. It does not mean that the user agreed to replace the object found at the key.
      upload: { ...upload, inTheWay: null },
    }));
  } finally {
    claim.giveBack();
  }
}

/** Postpones the item's Complete request while one from an earlier job may still be running. */
function afterOthers(context: ItemContext, item: StalledItem, quietUntilMs: number): StalledItem {
  const { upload } = item;
  if (upload === null) throw failure('internal', 'The stored item has no plan for this upload.');
  if (quietUntilMs <= upload.quietUntilMs) return item;
  return saveItem(context, { ...item, upload: { ...upload, quietUntilMs } });
}
