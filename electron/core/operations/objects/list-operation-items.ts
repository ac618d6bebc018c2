import { compareKeys } from '../../../../shared/keys/paths.ts';
import { failure, type AppError } from '../../../../shared/errors.ts';
import type { EffectContext } from '../../jobs/job.ts';
import type { ItemStore } from '../../transfers/items/item-store.ts';
import { noCountChanges, type TransferEvent } from '../../transfers/items/transfer-transition.ts';
import type { TransferJob } from '../../transfers/items/transfer-job.ts';
import {
  newCopyItem,
  newDeletionItem,
  type Item,
  type OperationItem,
} from '../../transfers/items/transfer-item.ts';
import type { OperationRecord } from '../../transfers/items/operation-record.ts';
import { undoOfMarker } from './undo-plan.ts';
import type { ChosenKeys } from '../../walks/chosen-keys.ts';

const batchSize = 1000;
const maxKeyBytes = 1024;

/** Returns the operation of a job. Throws `AppError('internal')` if the job has none. */
export function operationOf(job: TransferJob): OperationRecord {
  if (job.operation === null) throw failure('internal', 'The stored job has no operation.');
  return job.operation;
}

/**
 * Stores the chosen keys as items, each key once, before any change is made. After a crash, starts again. Throws
 * `AppError('internal')` if the job has no operation.
 */
export async function prepareItems(
  items: ItemStore,
  job: TransferJob,
  context: EffectContext<TransferEvent>,
  chosen: AsyncIterable<readonly ChosenKeys[]>,
): Promise<TransferEvent> {
  context.emit({ kind: 'list-cleared' }, () => items.clear(job.id));
  // A key may come twice if several chosen entries contain it, or if the listing is not sorted.
  let mayRepeat = operationOf(job).items.length > 1;
  let lastKey: string | null = null;
  let batch = new Map<string, Item>();
  let seq = 0;
  const flush = (): void => {
    if (batch.size === 0) return;
    const found = batch;
    batch = new Map();
    const counts = { ...noCountChanges, total: found.size };
    for (const item of found.values()) {
      if (item.state === 'failed') counts.failed += 1;
      counts.bytesTotal += item.sizeBytes ?? 0;
    }
    context.emit({ kind: 'items-found', found: counts, cursor: job.cursor }, () => {
      for (const [name, item] of found) items.put(job.id, item, name);
    });
  };
  for await (const page of chosen) {
    context.signal.throwIfAborted();
    for (const keys of page) {
      const name = operationItemName(keys);
      mayRepeat ||= lastKey !== null && compareKeys(keys.key, lastKey) < 0;
      lastKey = keys.key;
      if (batch.has(name) || (mayRepeat && items.ofFold(job.id, name) !== null)) continue;
      batch.set(name, itemOf(job, keys, seq));
      seq += 1;
      if (batch.size >= batchSize) flush();
    }
  }
  flush();
  return { kind: 'prepared' };
}

/** Returns the unique name of an item: its key, followed by the version if there is one. */
export function operationItemName({ key, versionId }: Pick<ChosenKeys, 'key' | 'versionId'>): string {
  return versionId === null ? key : `${key}\u0000${versionId}`;
}

function itemOf(job: TransferJob, chosen: ChosenKeys, seq: number): OperationItem {
  const { key, versionId, sizeBytes, etag, lastModified } = chosen;
  const known = { seq, key, versionId, kind: 'file', sizeBytes, etag, modifiedAt: lastModified } as const;
  const { to, restores, newKeys } = operationOf(job);
  // As when undoing a deletion, the marker is removed only while it hides the object.
  if (restores === true) return newDeletionItem({ ...known, undo: undoOfMarker });
  if (job.kind === 'delete') return newDeletionItem(known);
  if (to === null) return newCopyItem({ ...known, targetKey: key });
  // The target's key ends with the source's key after `job.prefix`, so two sources never have the same target.
  if (!key.startsWith(job.prefix)) return newCopyItem({ ...known, targetKey: '', ...failed(outsideBase()) });
  const targetKey = newKeys?.[key] ?? to.prefix + key.slice(job.prefix.length);
  if (targetKey === '') return newCopyItem({ ...known, targetKey: key, ...failed(outsideBase()) });
  if (Buffer.byteLength(targetKey) > maxKeyBytes)
    return newCopyItem({ ...known, targetKey, ...failed(tooLong()), note: 'key-too-long' });
  return newCopyItem({ ...known, targetKey });
}

function failed(error: AppError): Pick<Item, 'state' | 'error'> {
  return { state: 'failed', error };
}

function outsideBase(): AppError {
  return failure('invalid-argument', 'The key is not in the chosen folder.', { reason: 'outside-base' })
    .error;
}

function tooLong(): AppError {
  return failure('invalid-argument', 'The key would be longer than 1024 bytes.', { reason: 'key-too-long' })
    .error;
}
