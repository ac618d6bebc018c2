import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { storageFailureOf } from './sqlite-errors.ts';
import { inTransaction } from './transaction.ts';

/** Hooks for tests around transactions. */
export interface StoreHooks {
  /** Called before a transaction starts and after it was committed. */
  readonly onTransaction?: (when: 'before' | 'after') => void;
}

/** A database with prepared statements and transactions that may be nested. Synchronous. */
export class TransactedDatabase {
  readonly #db: DatabaseSync;
  readonly #hooks: StoreHooks;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;
  #afterCommit: (() => void)[] = [];

  constructor(db: DatabaseSync, hooks: StoreHooks = {}) {
    this.#db = db;
    this.#hooks = hooks;
  }

  /** Runs the work in a transaction; a nested call joins the outer one. Throws `AppError('storage')` on failure. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.#hooks.onTransaction?.('before');
    let result: T;
    this.#depth += 1;
    try {
      result = inTransaction(this.#db, work);
    } catch (thrown) {
      this.#afterCommit = [];
      throw storageFailureOf(thrown) ?? thrown;
    } finally {
      this.#depth -= 1;
    }
    const after = this.#afterCommit;
    this.#afterCommit = [];
    this.#hooks.onTransaction?.('after');
    for (const act of after) act();
    return result;
  }

  /** Runs `act` once the current transaction is on disk, and never if it fails. Outside a transaction, runs it at once. */
  afterCommit(act: () => void): void {
    if (this.#depth > 0) this.#afterCommit.push(act);
    else act();
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#prepare(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#prepare(sql).get(...values);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
