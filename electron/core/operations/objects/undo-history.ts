/** Something that was done, in the words of what can be undone. */
export interface Past {
  readonly id: string;
  readonly begunMs: number;
  /** When it was done; of one that is not finished, when it was begun. */
  readonly atMs: number;
  /** What it has undone, or is undoing; null: it is an operation of its own. */
  readonly undoes: string | null;
  /** It has undone an undo. */
  readonly isRedo: boolean;
  readonly isFinished: boolean;
}

/**
 * The last thing that was done and is not undone yet, and the last that was undone and can be done again. Nothing older is
 * undone in its place: who undoes means what they did last. Once something new was done, nothing is done again. While what
 * was begun last is not finished, `isBusy`, and neither is offered.
 */
export function undoStateOf<P extends Past>(
  past: readonly P[],
): { readonly undo: P | null; readonly redo: P | null; readonly isBusy: boolean } {
  const undone = new Set(past.map(({ undoes }) => undoes));
  const finished = past.filter(({ isFinished }) => isFinished).toSorted((a, b) => b.atMs - a.atMs);
  const isUndo = ({ undoes, isRedo }: P): boolean => undoes !== null && !isRedo;
  const undo = finished.find((one) => !isUndo(one) && !undone.has(one.id)) ?? null;
  const lastUndo = finished.find((one) => isUndo(one) && !undone.has(one.id)) ?? null;
  const isOverridden =
    lastUndo !== null && past.some(({ undoes, atMs }) => undoes === null && atMs > lastUndo.atMs);
  const redo = isOverridden ? null : lastUndo;
  const busyMs = Math.max(-1, ...past.flatMap(({ isFinished, begunMs }) => (isFinished ? [] : [begunMs])));
  const isBusySince = (one: P | null): boolean => busyMs >= (one?.begunMs ?? 0);
  return {
    undo: isBusySince(undo) ? null : undo,
    redo: isBusySince(redo) ? null : redo,
    isBusy: isBusySince(undo) || isBusySince(redo),
  };
}
