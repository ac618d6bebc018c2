import { rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makePrivateFile, makePrivateFolder } from './private-file.ts';

/**
 * The journal is only needed to roll back a failed batch. The data need not survive a crash, so nothing is flushed. Sorting uses
 * files, because results may be larger than memory.
 */
const pragmas = (cacheKiB: number): string => `
  PRAGMA journal_mode = MEMORY;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -${cacheKiB};
  PRAGMA temp_store = FILE;
`;

/** A database that only this run of the program needs. Removes the file that an earlier run left at the same path. */
export class ScratchDatabase {
  readonly database: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();

  /** `cacheKiB` is the size of the page cache in memory. */
  constructor(file: string, schema: string, cacheKiB: number) {
    this.#file = file;
    makePrivateFolder(path.dirname(file));
    rmSync(file, { force: true });
    makePrivateFile(file);
    this.database = new DatabaseSync(file);
    this.database.exec(pragmas(cacheKiB));
    this.database.exec(schema);
  }

  /** Returns the prepared statement. Prepares each SQL text once. */
  prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  /** Closes the database and removes its file. */
  drop(): void {
    this.#statements.clear();
    this.database.close();
    rmSync(this.#file, { force: true });
  }
}
