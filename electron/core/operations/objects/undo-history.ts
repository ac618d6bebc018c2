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
