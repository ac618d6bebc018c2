import { isUnchanged } from '../../s3/model/seen.ts';
import type { ItemUndo } from '../../transfers/items/operation-record.ts';
import { settled, type ItemContext } from '../../transfers/items/item-context.ts';
import type { DeletionItem } from '../../transfers/items/transfer-item.ts';
import { seenOf } from '../objects/compare-objects.ts';
import { headObject } from '../objects/look-at-object.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import { operationOf } from '../objects/list-operation-items.ts';
import type { Deleter } from './deleter.ts';

/**
 * Undoes a copy, a new folder or a deletion, or repeats an undone deletion. Removes a copy only if copy and original are
 * unchanged, so no data is lost. Removes a delete marker only while it hides the object. Throws the service's refusal.
 */
export async function removeByUndo(
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
    // On a retry, an earlier try may have removed the marker. On the first try, another client must have written an object.
    if (now !== null) return isLate ? done(item) : changedSince(item);
  } else {
    if (now === null) return done(item);
    if (!isUnchanged(undo.expects, seenOf(now)))
      return isLate && versionId !== null ? done(item) : changedSince(item);
    if (!(await hasOriginal(deps, context, undo)))
      return settled(item, { state: 'skipped', note: 'copy-kept' });
  }
  // A named version never changes. Without a version, the deletion is conditional on the object just seen.
  const seen = versionId === null ? now : null;
  const { result: failed, markerVersionId } = await deleter.remove(context, { key, versionId, seen });
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
export function journalOfMarker(markerVersionId: string | null): DeletionItem['journal'] {
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
