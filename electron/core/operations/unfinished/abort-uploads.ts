import { toAppError } from '../../../../shared/errors.ts';
import { logged } from '../../jobs/log-request.ts';
import { abortKnown } from '../../multipart/abort.ts';
import { listAllParts } from '../../multipart/parts/list-parts.ts';
import { saveItem, settled, type ItemContext } from '../../transfers/items/item-context.ts';
import type { StalledItem } from '../../transfers/items/transfer-job.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import { eachUpload, isGone, refOf } from './stalled-item.ts';

/** Aborts exactly the uploads that were written down, by key and upload id, each until the service no longer knows it. */
export function abortStrategy(deps: OperationDeps): Strategy {
  return eachUpload(deps, async (context, item) => await abortItem(deps, context, item));
}

async function abortItem(deps: OperationDeps, context: ItemContext, item: StalledItem): Promise<StalledItem> {
  const { job, client, signal, log } = context;
  const ref = refOf(job, item);
  const taken = await deps.takeUpload(ref, job.id, 'cancel');
  try {
    const storedBytes = await storedBytesOf(context, item);
    if (storedBytes === null) return gone(item);
    // What is stored now is freed; the first time counts, since an Abort may take several tries.
    const begun = item.aborting === null ? saveItem(context, { ...item, aborting: { storedBytes } }) : item;
    await abortKnown(client, ref, { signal, log }, deps);
    return gone(begun);
  } finally {
    taken.giveBack();
  }
}

/** null: the service does not know the upload. */
async function storedBytesOf(context: ItemContext, item: StalledItem): Promise<number | null> {
  const { job, client, signal, log } = context;
  try {
    const { parts } = await logged(log, 'list-parts', () => listAllParts(client, refOf(job, item), signal));
    return parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  } catch (thrown) {
    if (isGone(toAppError(thrown))) return null;
    throw thrown;
  }
}

function gone(item: StalledItem): StalledItem {
  return item.aborting === null
    ? settled(item, { state: 'skipped', note: 'upload-gone' })
    : settled(item, { state: 'done', sizeBytes: item.aborting.storedBytes });
}
