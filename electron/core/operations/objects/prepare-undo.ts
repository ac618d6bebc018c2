import { failure } from '../../../../shared/errors.ts';
import type { EffectContext } from '../../jobs/job.ts';
import type { ItemStore } from '../../transfers/items/item-store.ts';
import type { TransferJob } from '../../transfers/items/transfer-job.ts';
import {
  newCopyItem,
  newDeletionItem,
  type Item,
  type OperationItem,
} from '../../transfers/items/transfer-item.ts';
import { type TransferEvent, noCountChanges } from '../../transfers/items/transfer-transition.ts';
import { isNoted } from '../../transfers/pass.ts';
import { operationItemName, operationOf } from './list-operation-items.ts';
import { undoOf, type UndoStep } from './undo-plan.ts';

const pageItems = 500;

/** Returns true if the job undoes another operation. Throws `AppError('internal')` if the job has no operation. */
export function isUndo(job: TransferJob): boolean {
  const { undoes, folder } = operationOf(job);
  return undoes !== undefined || folder !== undefined;
}

/**
 * Stores how to undo each item of a finished job, before any change is made. Items that cannot be undone are stored with the
 * reason, which the job reports. Throws `AppError('internal')` for a job that undoes nothing.
 */
export function prepareUndo(
  items: ItemStore,
  job: TransferJob,
  context: EffectContext<TransferEvent>,
): TransferEvent {
  context.emit({ kind: 'list-cleared' }, () => items.clear(job.id));
  const { undoes, folder } = operationOf(job);
  if (folder !== undefined) {
    const { key, seen } = folder;
    const undo = { expects: seen, expectsTags: null, original: null, patch: null, keepsSource: false };
    const item = newDeletionItem({ seq: 0, key, kind: 'file', sizeBytes: seen.sizeBytes, undo });
    storeItems(items, job, context, [item]);
    return { kind: 'prepared' };
  }
  if (undoes === undefined) throw failure('internal', 'The undo job has no operation to undo.');
  let seq = 0;
  context.signal.throwIfAborted();
  for (const page of items.pagesInState(undoes.jobId, 'done', pageItems)) {
    const batch: OperationItem[] = [];
    for (const done of page) {
      const step = undoOf(undoes.kind, done);
      if (step.kind === 'nothing') continue;
      batch.push(itemOf(job, seq, done, step));
      seq += 1;
    }
    storeItems(items, job, context, batch);
    context.signal.throwIfAborted();
  }
  return { kind: 'prepared' };
}

function itemOf(
  job: TransferJob,
  seq: number,
  done: Item,
  step: Exclude<UndoStep, { kind: 'nothing' }>,
): OperationItem {
  const known = { seq, key: step.key, kind: 'file', sizeBytes: done.sizeBytes } as const;
  const undoFields =
    step.kind === 'left'
      ? ({ state: 'skipped', note: step.note } as const)
      : { versionId: step.versionId, undo: step.undo };
  if (job.kind === 'delete') return newDeletionItem({ ...known, ...undoFields });
  return newCopyItem({ ...known, targetKey: step.targetKey, ...undoFields });
}

const bytesOf = (of: readonly Item[]): number => of.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);

function storeItems(
  items: ItemStore,
  job: TransferJob,
  context: EffectContext<TransferEvent>,
  batch: readonly OperationItem[],
): void {
  if (batch.length === 0) return;
  const skipped = batch.filter(({ state }) => state === 'skipped');
  const counts = {
    ...noCountChanges,
    total: batch.length,
    skipped: skipped.length,
    noted: skipped.filter(isNoted).length,
    bytesTotal: bytesOf(batch),
    bytesDone: bytesOf(skipped),
  };
  context.emit({ kind: 'items-found', found: counts, cursor: job.cursor }, () => {
    for (const item of batch) items.put(job.id, item, operationItemName(item));
  });
}
