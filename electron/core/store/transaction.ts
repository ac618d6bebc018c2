import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs the work in a transaction, which is rolled back on an error. Transactions must be synchronous and small, and cannot be
 * nested.
 */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}
