import { failure, toAppError } from '../../../../shared/errors.ts';
import type { EffectContext } from '../../jobs/job.ts';
import { affectsWholeJob, settled } from '../../transfers/items/item-context.ts';
import {
  noCountChanges,
  type CountChanges,
  type TransferEvent,
} from '../../transfers/items/transfer-transition.ts';
import { itemPages } from '../../transfers/items/item-store.ts';
import { isNoted } from '../../transfers/pass.ts';
import { itemOfWork, type CopyItem } from '../../transfers/items/transfer-item.ts';
import { forEachLimited } from '../../flow/loops.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import { sourceRef, targetRef, type CopyContext } from './copy-context.ts';
import { abandonParts } from './copy-leftovers.ts';
import { deleteIf, removeSource } from './move-item.ts';
import { headObject, compareBytes, sameDescription, seenOf } from '../objects/look-at-object.ts';

const pageSize = 200;
const maxParallelItems = 8;
/**
 * The time in ms after which the target of an interrupted copy is checked again, because the service may still finish the copy.
 */
const settleMs = 2000;

/** The number of consecutive failures after which the service counts as failing, so that the job waits. */
const maxFailuresInARow = 2 * maxParallelItems;

/**
 * Removes the partial results of a cancelled copy or move. Deletes a copy only if its key was free before, the copy is unchanged,
 * and its identical source still exists. So no data is lost. If single items fail, undoes the others and then throws the first
 * failure.
 */
export async function undoCopies(context: CopyContext, effect: EffectContext<TransferEvent>): Promise<void> {
  const itemsToRecheck: CopyItem[] = [];
  const failures: unknown[] = [];
  let failuresInARow = 0;
  const tryEach =
    (undo: (item: CopyItem) => Promise<void>) =>
    async (item: CopyItem): Promise<void> => {
      try {
        await undo(item);
        failuresInARow = 0;
      } catch (thrown) {
        const error = toAppError(thrown);
        if (context.signal.aborted || affectsWholeJob(error) || error.code === 'storage') throw thrown;
        failures.push(thrown);
        if (error.retry === 'backoff') failuresInARow += 1;
        if (failuresInARow > maxFailuresInARow) throw thrown;
      }
    };
  await forEachBegun(
    context,
    tryEach(async (item) => {
      const undone = await undoItem(context, item);
      if (undone === 'nothing-there') itemsToRecheck.push(item);
      else saveUndone(context, effect, item, undone);
    }),
  );
  if (itemsToRecheck.length > 0) {
    await context.deps.clock.sleep(settleMs, context.signal);
    const recheck = tryEach(async (item) => {
      const undone = await undoItem(context, item);
      saveUndone(context, effect, item, undone === 'nothing-there' ? settleUndone(item) : undone);
    });
    await forEachLimited(itemsToRecheck, maxParallelItems, context.signal, recheck);
  }
  if (failures.length > 0) throw failures[0];
}

async function forEachBegun(context: CopyContext, work: (item: CopyItem) => Promise<void>): Promise<void> {
  const { items, job } = context;
  for (const page of itemPages((after) => items.withCopy(job.id, after, pageSize))) {
    const begun = page.map((item) => itemOfWork(item, 'copy'));
    await forEachLimited(begun, maxParallelItems, context.signal, work);
  }
}

async function undoItem(context: CopyContext, begun: CopyItem): Promise<CopyItem | 'nothing-there'> {
  const item = await abandonParts(context, begun);
  const { copy } = item;
  if (copy === null) return item;
  // A cancelled copy job keeps its complete copies. An incomplete copy is not an object, so nothing needs to be removed.
  if (context.job.kind === 'copy') return settled(item, { state: 'skipped', copy: null });
  // The deletion of the source may still be running. Removing the copy now could lose both objects, so the move is completed
  // instead.
  if (copy.stage === 'deleting') return (await removeSource(context, item)) ?? settleKeptCopy(item);
  const [source, target] = await Promise.all([
    headObject(context.client, sourceRef(context, item), context.signal, context.log),
    headObject(context.target, targetRef(context, item), context.signal, context.log),
  ]);
  if (target === null) return copy.stage === 'copying' ? 'nothing-there' : settleUndone(item);
  if (!copy.targetWasFree || source === null || !isUnchanged(copy.source, seenOf(source)))
    return settleKeptCopy(item);
  const isOurs =
    copy.target === null
      ? compareBytes(source, target) === 'equal' && sameDescription(source, target)
      : isUnchanged(copy.target, seenOf(target));
  if (!isOurs) return settleKeptCopy(item);
  try {
    const { signal, log } = context;
    await deleteIf({
      client: context.target,
      ref: targetRef(context, item),
      expectedHead: target,
      signal,
      log,
    });
  } catch (thrown) {
    const { code, reason } = toAppError(thrown);
    if (reason === 'precondition-failed') return settleKeptCopy(item);
    if (code !== 'not-found' || reason === 'no-such-bucket') throw thrown;
  }
  return settleUndone(item);
}

function settleUndone(item: CopyItem): CopyItem {
  return settled(item, { state: 'skipped', note: 'undone', copy: null });
}

function settleKeptCopy(item: CopyItem): CopyItem {
  return settled(item, { state: 'skipped', note: 'copy-kept', copy: null });
}

function saveUndone(
  context: CopyContext,
  effect: EffectContext<TransferEvent>,
  before: CopyItem,
  after: CopyItem,
): void {
  context.signal.throwIfAborted();
  if (after.state !== 'done' && after.state !== 'skipped')
    throw failure('internal', `An item is in the state ${after.state} after an undo.`);
  const moved: CountChanges = {
    ...noCountChanges,
    failed: before.state === 'failed' ? -1 : 0,
    asking: before.state === 'asking' ? -1 : 0,
    [after.state]: 1,
    noted: isNoted(after) ? 1 : 0,
  };
  effect.emit({ kind: 'items-moved', moved }, () => context.items.put(context.job.id, after));
}
