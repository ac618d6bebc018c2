import { toAppError } from '../../../../shared/errors.ts';
import { always } from '../../flow/slots.ts';
import { logged } from '../../jobs/log-request.ts';
import { isUndo, prepareUndo } from '../objects/prepare-undo.ts';
import { journalOfMarker, removeByUndo } from './remove-by-undo.ts';
import { removePlanned } from './remove-planned.ts';
import { foreignAttempt } from '../../transfers/items/foreign-note.ts';
import { settled, type ItemContext } from '../../transfers/items/item-context.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import { itemOfWork, type DeletionItem } from '../../transfers/items/transfer-item.ts';
import { chosenKeys, chosenVersions, isHidingMarker } from '../../walks/chosen-keys.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import { operationOf, prepareItems } from '../objects/list-operation-items.ts';
import { checkDeleted } from './still-listed.ts';
import { batchKeys, deleterOf, requestsAtOnce, type Deleter } from './deleter.ts';

/** Deletes the stored keys, up to a thousand per request (S3 API, DeleteObjects). Each key has its own result. */
export function deleteStrategy(deps: OperationDeps): Strategy {
  return {
    prepare: async (items, job, context) => {
      if (isUndo(job)) return prepareUndo(items, job, context);
      const { items: chosen, versions, restores } = operationOf(job);
      const { walks } = deps;
      const { signal } = context;
      const versionsOf = async (passes?: typeof isHidingMarker) =>
        chosenVersions(await deps.clientOf(job.connectionId), walks, job, chosen, signal, passes);
      if (restores === true) return await prepareItems(items, job, context, await versionsOf(isHidingMarker));
      const pages =
        versions === 'markers'
          ? chosenKeys(walks, job, chosen, signal, (prefix, foreign) =>
              context.log(foreignAttempt(prefix, foreign)),
            )
          : await versionsOf();
      return await prepareItems(items, job, context, pages);
    },
    begin: async (job) => {
      const whole = new WeakSet();
      const deleter = deleterOf(whole);
      return await Promise.resolve({
        parallel: always(batchKeys * requestsAtOnce),
        isLarge: () => false,
        isOfAll: (thrown) => typeof thrown === 'object' && thrown !== null && whole.has(thrown),
        work: async (context, planned) => {
          const item = itemOfWork(planned, 'deletion');
          if (item.undo !== null) return await removeByUndo(deps, deleter, context, item, item.undo);
          return item.sync === null
            ? await deleteItem(deleter, context, item)
            : await removePlanned(deleter, context, item);
        },
        finish: async (context, report) => {
          const left = await checkDeleted(context, report);
          if (left === 0 && operationOf(job).withBucket === true) await removeBucket(deps, context);
        },
      });
    },
  };
}

/** Deletes the bucket after all its objects. Returns normally if the bucket no longer exists. */
async function removeBucket(deps: OperationDeps, { job, log, signal }: ItemContext): Promise<void> {
  signal.throwIfAborted();
  const { connectionId, bucket } = job;
  try {
    await logged(
      log,
      'delete-bucket',
      () => deps.removeBucket({ connectionId, bucket }),
      () => bucket,
    );
  } catch (thrown) {
    if (toAppError(thrown).reason !== 'no-such-bucket') throw thrown;
  }
}

async function deleteItem(deleter: Deleter, context: ItemContext, item: DeletionItem): Promise<DeletionItem> {
  const { key, versionId } = item;
  const { result: failed, markerVersionId } = await deleter.remove(context, { key, versionId, seen: null });
  if (failed !== null) throw failed;
  return settled(item, { state: 'done', journal: journalOfMarker(markerVersionId) });
}
