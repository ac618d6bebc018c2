import type { ScratchDatabase } from '../../store/scratch.ts';
import { inTransaction } from '../../store/transaction.ts';

/**
 * A change that a job of this program made to a key of a bucket. `moved`: the key no longer exists, and the new key has its object.
 * `back`: an undo brought the object back. `written`: a new object, or one with other properties; null means that the keys are unknown.
 */
export type KeyChange =
  | { readonly kind: 'removed'; readonly key: string }
  | { readonly kind: 'back'; readonly key: string }
  | { readonly kind: 'moved'; readonly key: string; readonly newKey: string }
  | { readonly kind: 'written'; readonly key: string | null };

/** A change of a row. A key that was written may have no row yet, so the table cannot apply it. */
export type RowChange = Exclude<KeyChange, { kind: 'written' }>;

export interface RowSums {
  rows: number;
  sizeBytes: number;
  unknown: number;
}

/** Applies changes to the rows of a table. A removed row is kept, because the change may be undone. */
export function changeRows(table: ScratchDatabase, changes: readonly RowChange[]): RowSums {
  const sums = { rows: 0, sizeBytes: 0, unknown: 0 };
  inTransaction(table.database, () => {
    for (const change of changes)
      if (change.kind === 'removed') remove(table, change.key, sums);
      else if (change.kind === 'back') bringBack(table, change.key, sums);
      else rename(table, change.key, change.newKey, sums);
  });
  return sums;
}

function remove(table: ScratchDatabase, key: string, sums: RowSums): void {
  table.prepared('DELETE FROM removed WHERE key = ?').run(key);
  table
    .prepared(`INSERT INTO removed SELECT key, id, size, modified, etag, class FROM objects WHERE key = ?`)
    .run(key);
  const rows = table.prepared('DELETE FROM objects WHERE key = ? RETURNING size').all(key);
  for (const row of rows) count(sums, row, -1);
}

function bringBack(table: ScratchDatabase, key: string, sums: RowSums): void {
  const [row] = table
    .prepared(
      // A walk that is still running may have given the id of the removed row to another one.
      `INSERT INTO objects (key, id, size, modified, etag, class)
       SELECT key, CASE WHEN EXISTS (SELECT 1 FROM objects WHERE id = removed.id) THEN NULL ELSE id END, size, modified, etag, class
       FROM removed WHERE key = ? AND NOT EXISTS (SELECT 1 FROM objects WHERE key = removed.key) RETURNING size`,
    )
    .all(key);
  if (row === undefined) sums.unknown += 1;
  else count(sums, row, 1);
  table.prepared('DELETE FROM removed WHERE key = ?').run(key);
}

function rename(table: ScratchDatabase, key: string, newKey: string, sums: RowSums): void {
  const [known] = table.prepared('SELECT 1 FROM objects WHERE key = ?').all(key);
  if (known === undefined) {
    sums.unknown += 1;
    return;
  }
  // The moved object replaced another object at its new key.
  if (newKey !== key) remove(table, newKey, sums);
  table.prepared('UPDATE objects SET key = ? WHERE key = ?').run(newKey, key);
}

/** Adds a row that left or came back to the sums. */
function count(sums: RowSums, row: Readonly<Record<string, unknown>>, by: 1 | -1): void {
  sums.rows += by;
  sums.sizeBytes += by * Number(row['size']);
}
