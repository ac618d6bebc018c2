import { toAppError } from '../../../../shared/errors.ts';
import { logged } from '../../jobs/log-request.ts';
import { abortUpload, isUploadGone } from '../../multipart/abort.ts';
import { listAllParts } from '../../multipart/parts/list-parts.ts';
import { saveItem, settled, type ItemContext } from '../../transfers/items/item-context.ts';
import type { StalledItem } from '../../transfers/items/transfer-item.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import { eachUpload, stalledItemRef } from './stalled-item.ts';

/** Aborts the uploads stored as items, each identified by key and upload id, until the service no longer knows them. */
export function abortStrategy(deps: OperationDeps): Strategy {
  return eachUpload(deps, async (context, item) => await abortItem(deps, context, item));
}

async function abortItem(deps: OperationDeps, context: ItemContext, item: StalledItem): Promise<StalledItem> {
  const { job, client, signal, log } = context;
  const ref = stalledItemRef(job, item);
  const claim = await deps.claimUpload(ref, job.id, 'cancel');
  try {
    // Keeps the size found by the first try, because an abort may take several tries and each frees some parts.
    const aborting = item.aborting ?? (await storedPartsOf(context, item));
    if (aborting === 'gone') return settled(item, { state: 'skipped', note: 'upload-gone' });
    const begun = item.aborting === null ? saveItem(context, { ...item, aborting }) : item;
    const outcome = await abortUpload(client, ref, { signal, log }, deps);
    if (outcome === 'already-gone' && item.aborting === null)
      return settled({ ...begun, aborting: null }, { state: 'skipped', note: 'upload-gone' });
    const note = outcome === 'aborted-unchecked' ? 'abort-unchecked' : null;
    return settled(begun, { state: 'done', sizeBytes: aborting.storedBytes, note });
  } finally {
    claim.giveBack();
  }
}

/** Returns how many bytes the abort will free; null if the parts cannot be listed. The upload is aborted in both cases. */
async function storedPartsOf(
  context: ItemContext,
  item: StalledItem,
): Promise<NonNullable<StalledItem['aborting']> | 'gone'> {
  const { job, client, signal, log } = context;
  try {
    const { parts } = await logged(log, 'list-parts', () =>
      listAllParts(client, stalledItemRef(job, item), signal),
    );
    return { storedBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0) };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled') throw thrown;
    return isUploadGone(error) ? 'gone' : { storedBytes: null };
  }
}
