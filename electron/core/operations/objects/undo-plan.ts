import { assertNever } from '../../../../shared/assert-never.ts';
import type { ItemNote } from '../../../../shared/models/transfers.ts';
import type { ItemUndo } from '../../transfers/items/operation-record.ts';
import {
  itemOfWork,
  type CopyItem,
  type DeletionItem,
  type Item,
} from '../../transfers/items/transfer-item.ts';
import type { undoableKinds } from '../../../../shared/models/job-kinds.ts';
import type { UndoEntry } from '../../../../shared/models/operations.ts';

export type UndoableKind = (typeof undoableKinds)[number];
/** The kind of an operation that can be undone, as shown to the user. */
export type UndoableWork = UndoableKind | 'restore';

/** How one item of a job is undone, or why that is not possible. */
export type UndoStep =
  | {
      readonly kind: 'step';
      /** The object to move back, delete or change. For a move, `targetKey` is where it is moved. */
      readonly key: string;
      readonly targetKey: string;
      readonly versionId: string | null;
      readonly undo: ItemUndo;
    }
  | { readonly kind: 'left'; readonly key: string; readonly targetKey: string; readonly note: ItemNote }
  /** The item changed nothing, so nothing has to be undone. */
  | { readonly kind: 'nothing' };

/** The kind of job that undoes each kind of operation. */
export const undoneBy: Readonly<Record<UndoableKind, UndoableKind>> = {
  move: 'move',
  copy: 'delete',
  delete: 'delete',
  change: 'change',
};

const plain = { expectsTags: null, original: null, patch: null, keepsSource: false } as const;

/** The undo of a deletion: removes the delete marker, but only while the key has no object. */
export const undoOfMarker: ItemUndo = { ...plain, expects: null };

/**
 * Returns how a finished item is undone. An undo deletes only objects that the item created. Throws `AppError('internal')` if the
 * item is not of this kind.
 */
export function undoOf(kind: UndoableKind, item: Item): UndoStep {
  if (item.state !== 'done') return { kind: 'nothing' };
  switch (kind) {
    case 'move':
      return moveBack(itemOfWork(item, 'copy'));
    case 'copy':
      return removeCopy(itemOfWork(item, 'copy'));
    case 'delete':
      return undoDeletion(itemOfWork(item, 'deletion'));
    case 'change':
      return changeBack(itemOfWork(item, 'copy'));
    default:
      return assertNever(kind);
  }
}

function moveBack({ key, targetKey, versionId, copy, undo: redone }: CopyItem): UndoStep {
  // A move deletes its source last, so an item without a copy moved nothing.
  if (copy === null || copy.target === null) return { kind: 'nothing' };
  // The undo moved a version that had replaced another one. The replaced version is current again and may only be replaced after
  // confirmation.
  if (redone !== null && versionId !== null)
    return { kind: 'left', key: targetKey, targetKey: key, note: 'not-kept' };
  const { target, targetWasFree } = copy;
  const back = { kind: 'step', key: targetKey, targetKey: key } as const;
  const undo = { ...plain, expects: target };
  if (targetWasFree) return { ...back, versionId: null, undo };
  // Deleting the version that the move created makes the replaced version current again.
  if (isNamedVersion(target.versionId)) return { ...back, versionId: target.versionId, undo };
  return { ...back, versionId: null, undo: { ...undo, keepsSource: true } };
}

function removeCopy({ key, targetKey, versionId, journal }: CopyItem): UndoStep {
  if (journal?.kind !== 'copy') return { kind: 'nothing' };
  const { targetWasFree, source, target } = journal;
  const undo = { ...plain, expects: target, original: { key, versionId, seen: source } };
  if (targetWasFree) return { kind: 'step', key: targetKey, targetKey, versionId: null, undo };
  // Deleting the version that the copy created makes the replaced version current again.
  if (!isNamedVersion(target.versionId)) return { kind: 'left', key: targetKey, targetKey, note: 'not-kept' };
  return { kind: 'step', key: targetKey, targetKey, versionId: target.versionId, undo };
}

function undoDeletion(item: DeletionItem): UndoStep {
  const { key, versionId, journal, undo } = item;
  const original = undo?.original ?? null;
  if (original !== null) return copyAgain(item, original);
  const step = { kind: 'step', key, targetKey: key } as const;
  if (journal?.kind === 'marker' && versionId === null)
    return { ...step, versionId: journal.versionId, undo: undoOfMarker };
  // Without versioning, a repeated deletion could not be undone.
  if (journal?.kind === 'back' && isNamedVersion(journal.seen.versionId))
    return { ...step, versionId: null, undo: { ...plain, expects: journal.seen } };
  return { kind: 'left', key, targetKey: key, note: 'not-kept' };
}

/** Returns how to repeat a copy that was undone. It copies only to a free key. */
function copyAgain({ key, versionId }: DeletionItem, original: NonNullable<ItemUndo['original']>): UndoStep {
  // The undo removed a version that had replaced another one. The replaced version is current again and may only be replaced
  // after confirmation.
  if (versionId !== null) return { kind: 'left', key, targetKey: key, note: 'not-kept' };
  // A version never changes. Without a version, the original must still be the object that was copied.
  const expects = original.versionId === null ? original.seen : null;
  return {
    kind: 'step',
    key: original.key,
    targetKey: key,
    versionId: original.versionId,
    undo: { ...plain, expects },
  };
}

/** Returns what happens to the objects that these items replaced if the items are undone. */
export function replacedBy(kind: UndoableKind, items: readonly Item[]): UndoEntry['replaced'] {
  if (kind !== 'copy' && kind !== 'move') return 'none';
  const steps = items.map((item) => undoOf(kind, item));
  const isRestored = steps.some((step) => step.kind === 'step' && step.versionId !== null);
  const isLost = steps.some(
    (step) => step.kind === 'left' || (step.kind === 'step' && step.undo.keepsSource),
  );
  if (isRestored) return isLost ? 'some-restored' : 'restored';
  return isLost ? 'lost' : 'none';
}

function isNamedVersion(versionId: string | null): boolean {
  return versionId !== null && versionId !== 'null';
}

function changeBack({ key, journal, versionId }: CopyItem): UndoStep {
  if (journal?.kind !== 'change') return { kind: 'nothing' };
  const { back, after } = journal;
  if (after === null) return { kind: 'left', key, targetKey: key, note: 'changed-since' };
  const undo = { ...plain, expects: after.seen, expectsTags: after.tags, patch: back };
  return { kind: 'step', key, targetKey: key, versionId, undo };
}

/** A past operation, with the properties that determine whether it can be undone. */
export interface PastOperation {
  readonly id: string;
  readonly begunMs: number;
  /** The time in ms at which it finished; if it is unfinished, the time at which it started. */
  readonly atMs: number;
  /** The id of the operation that this one undoes; null if it is not an undo. */
  readonly undoes: string | null;
  /** True if the operation undoes an undo. */
  readonly isRedo: boolean;
  readonly isFinished: boolean;
}

/**
 * Returns the last operation if it can be undone, and the last undo if it can be redone. Never falls back to an older operation.
 * A new operation discards the redo. While the latest operation runs, `isBusy` is true and both are null.
 */
export function undoStateOf<P extends PastOperation>(
  past: readonly P[],
): { readonly undo: P | null; readonly redo: P | null; readonly isBusy: boolean } {
  const undone = new Set(past.map(({ undoes }) => undoes));
  const finished = past.filter(({ isFinished }) => isFinished).toSorted((a, b) => b.atMs - a.atMs);
  const isUndo = ({ undoes, isRedo }: P): boolean => undoes !== null && !isRedo;
  const undo = finished.find((job) => !isUndo(job) && !undone.has(job.id)) ?? null;
  const lastUndo = finished.find((job) => isUndo(job) && !undone.has(job.id)) ?? null;
  const isOverridden =
    lastUndo !== null && past.some(({ undoes, atMs }) => undoes === null && atMs > lastUndo.atMs);
  const redo = isOverridden ? null : lastUndo;
  const busyMs = Math.max(-1, ...past.flatMap(({ isFinished, begunMs }) => (isFinished ? [] : [begunMs])));
  const isBusySince = (job: P | null): boolean => busyMs >= (job?.begunMs ?? 0);
  return {
    undo: isBusySince(undo) ? null : undo,
    redo: isBusySince(redo) ? null : redo,
    isBusy: isBusySince(undo) || isBusySince(redo),
  };
}
