import { toAppError, AppFailure, failure, type AppError } from '../../../../shared/errors.ts';
import { always, atLeast, slots, type Slots } from '../../flow/limits.ts';
import { isUndo, prepareUndo } from '../objects/prepare-undo.ts';
import { foreignAttempt, logged } from '../../jobs/log-request.ts';
import { settled, type ItemContext } from '../../transfers/items/item-context.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import { itemOfWork, type DeletionItem, type Item } from '../../transfers/items/transfer-item.ts';
import { chosenKeys, chosenVersions, isHidingMarker } from '../../walks/chosen-keys.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import { operationOf, prepareItems } from '../objects/list-operation-items.ts';
import { checkDeleted } from './still-listed.ts';
import { batchKeys, deleterOf, maxParallelBatches, type Deleter } from './deleter.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import type { ItemUndo, ObservedObject } from '../../transfers/items/operation-record.ts';
import { headObject, seenOf, seenListed } from '../objects/look-at-object.ts';
import { sameEtag, strongEtag } from '../../s3/model/etag.ts';
import { lookAtKey, type Look } from '../../s3/conditions/look-at-key.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { isObjectAsPlanned } from '../../transfers/uploads/upload-target.ts';

const pageItems = 1000;

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
      const requestErrors = new WeakSet();
      const deleter = deleterOf(requestErrors);
      return await Promise.resolve({
        parallel: always(batchKeys * maxParallelBatches),
        isLarge: () => false,
        affectsAllItems: (thrown) =>
          typeof thrown === 'object' && thrown !== null && requestErrors.has(thrown),
        work: async (context, planned) => {
          const item = itemOfWork(planned, 'deletion');
          if (item.undo !== null) return await removeByUndo(deps, deleter, context, item, item.undo);
          return item.sync === null
            ? await deleteItem(deleter, context, item)
            : await removePlanned(deleter, context, item);
        },
        finish: async (context, report) => {
          const left = await checkDeleted(context, report);
          if (operationOf(job).versions === 'all-versions') reportKeys(deps, context);
          if (left === 0 && operationOf(job).withBucket === true) await removeBucket(deps, context);
        },
      });
    },
  };
}

/** Reports the keys of which all versions were deleted. */
function reportKeys({ onKeysChanged }: OperationDeps, { items, job }: ItemContext): void {
  for (const page of items.pagesInState(job.id, 'done', pageItems)) {
    const keys = new Set(page.map(({ key }) => key));
    onKeysChanged({ place: job, changes: [...keys].map((key) => ({ kind: 'removed', key })) });
  }
}

/** Deletes the bucket after all its objects. Returns normally if the bucket no longer exists. */
async function removeBucket(deps: OperationDeps, { job, log, signal }: ItemContext): Promise<void> {
  signal.throwIfAborted();
  const { connectionId, bucket } = job;
  try {
    await logged(log, 'delete-bucket', () => deps.removeBucket({ connectionId, bucket }), bucket);
  } catch (thrown) {
    if (toAppError(thrown).reason !== 'no-such-bucket') throw thrown;
  }
}

async function deleteItem(deleter: Deleter, context: ItemContext, item: DeletionItem): Promise<DeletionItem> {
  const { key, versionId } = item;
  const { result: failed, markerVersionId } = await deleter.remove(context, {
    key,
    versionId,
    expectedObject: null,
  });
  if (failed !== null) throw failed;
  return settled(item, { state: 'done', journal: journalOfMarker(markerVersionId) });
}

/**
 * Undoes a copy, a new folder or a deletion, or repeats an undone deletion. Removes a copy only if copy and original are
 * unchanged, so no data is lost. Removes a delete marker only while it hides the object. Throws the service's refusal.
 */
async function removeByUndo(
  deps: OperationDeps,
  deleter: Deleter,
  context: ItemContext,
  item: DeletionItem,
  undo: ItemUndo,
): Promise<DeletionItem> {
  const { client, job, signal, log } = context;
  const { key, versionId } = item;
  const now = await headObject(client, { bucket: job.bucket, key }, signal, log);
  const isLate = item.tries > 0;
  if (undo.expects === null) {
    // On a retry, an earlier attempt may have removed the marker. On the first attempt, another client must have written an
    // object.
    if (now !== null) return isLate ? done(item) : changedSince(item);
  } else {
    if (now === null) return done(item);
    if (!isUnchanged(undo.expects, seenOf(now)))
      return isLate && versionId !== null ? done(item) : changedSince(item);
    if (!(await hasOriginal(deps, context, undo)))
      return settled(item, { state: 'skipped', note: 'copy-kept' });
  }
  // A named version never changes. Without a version, the deletion is conditional on the object just seen.
  const expectedObject = versionId === null ? now : null;
  const { result: failed, markerVersionId } = await deleter.remove(context, {
    key,
    versionId,
    expectedObject,
  });
  if (failed?.error.reason === 'precondition-failed') return changedSince(item);
  if (failed !== null) throw failed;
  if (undo.expects !== null)
    return settled(item, { state: 'done', journal: journalOfMarker(markerVersionId) });
  // If the key still has no object, it was deleted once more, and another delete marker hides the object.
  const back = await headObject(client, { bucket: job.bucket, key }, signal, log);
  return back === null
    ? changedSince(item)
    : settled(item, { state: 'done', journal: { kind: 'back', seen: seenOf(back) } });
}

/**
 * Returns the record for an undo; null for the delete marker of suspended versioning, which replaced the object
 * (API_DeleteObject).
 */
function journalOfMarker(markerVersionId: string | null): DeletionItem['journal'] {
  if (markerVersionId === null || markerVersionId === 'null') return null;
  return { kind: 'marker', versionId: markerVersionId };
}

async function hasOriginal(
  deps: OperationDeps,
  { job, signal, log }: ItemContext,
  { original }: ItemUndo,
): Promise<boolean> {
  if (original === null) return true;
  const { from } = operationOf(job);
  if (from === undefined) return false;
  const { key, versionId, seen } = original;
  const ref = { bucket: from.bucket, key, ...(versionId === null ? {} : { versionId }) };
  const now = await headObject(await deps.clientOf(from.connectionId), ref, signal, log);
  return now !== null && isUnchanged(seen, seenOf(now));
}

function done(item: DeletionItem): DeletionItem {
  return settled(item, { state: 'done' });
}

function changedSince(item: DeletionItem): DeletionItem {
  return settled(item, { state: 'skipped', note: 'changed-since' });
}

const maxParallelHeads = 16;
const headSlots = new WeakMap<Deleter, Slots>();

/**
 * Deletes an object that a synchronization's plan names, only if it is below the job's prefix and unchanged since. Throws the
 * service's refusal, and `AppError('internal')` if no plan names the object.
 */
export async function removePlanned(deleter: Deleter, context: ItemContext, item: Item): Promise<Item> {
  const { client, job, log, signal } = context;
  const { key } = item;
  const planned = item.sync?.target ?? null;
  if (planned === null || !key.startsWith(job.prefix) || key === job.prefix)
    throw failure('internal', 'The deletion has no plan.');
  const inSlot = headSlots.get(deleter) ?? slots(atLeast(maxParallelHeads, client.pace));
  headSlots.set(deleter, inSlot);
  const headResult = await inSlot(signal, async () =>
    logged(
      log,
      'head-object',
      () => lookAtKey(client, { bucket: job.bucket, key }, { signal }),
      (found) => `${found.kind}: ${key}`,
    ),
  );
  // The plan was made from a listing, so a listing is enough here if HEAD is refused.
  const now =
    headResult.kind === 'unreadable' ? await listedNow(context, key, headResult.error) : headOf(headResult);
  if (now === null) return settled(item, { state: 'done', note: 'removed' });
  if (!isObjectAsPlanned(planned, now)) return settled(item, { state: 'skipped', note: 'changed-since' });
  // A proxy may mark the ETag of a HEAD response as weak. The strong ETag of the listing still works as a condition.
  const isListedBetter = strongEtag(now.etag) === null && sameEtag(planned.etag, now.etag);
  const etag = isListedBetter ? planned.etag : now.etag;
  const { result: failed } = await deleter.remove(context, {
    key,
    versionId: null,
    expectedObject: { ...now, etag },
  });
  if (failed?.error.reason === 'precondition-failed')
    return settled(item, { state: 'skipped', note: 'changed-since' });
  if (failed !== null) throw failed;
  return settled(item, { state: 'done', note: 'removed' });
}

function headOf(look: Exclude<Look, { kind: 'unreadable' }>): ObjectHead | null {
  return look.kind === 'present' ? look.head : null;
}

/** Returns the object from a new listing; null if it is not listed. Throws `refusal` if listing fails too. */
async function listedNow(
  { client, job, log, signal }: ItemContext,
  key: string,
  refusal: AppError,
): Promise<ObservedObject | null> {
  try {
    const { objects } = await logged(
      log,
      'list-objects',
      () => client.listObjects({ bucket: job.bucket, prefix: key, maxKeys: 1 }, { signal }),
      key,
    );
    // A key sorts before all longer keys that start with it, so it would be listed first.
    const [first] = objects;
    return first?.key === key ? seenListed(first) : null;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppFailure) throw new AppFailure(refusal, { cause: thrown });
    throw thrown;
  }
}
