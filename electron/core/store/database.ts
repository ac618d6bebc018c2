import { existsSync, renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { failure } from '../../../shared/errors.ts';
import { migrations as allMigrations, type Migration } from './migrations.ts';
import { makePrivateFile } from './private-file.ts';
import { isDamage, storageFailureOf } from './sqlite-errors.ts';
import { setAside, setFolderAside } from './safe-files.ts';
import { inTransaction } from './transaction.ts';

export { inTransaction } from './transaction.ts';

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** The path to which a damaged file was moved; null if the file was intact. */
  readonly setAsideAs: string | null;
}

export interface OpenOptions {
  readonly nowMs: number;
  readonly migrations?: readonly Migration[];
}

/** The name of the database file in the data folder. */
export const databaseFile = 'cooper.db';

/** The suffixes of the files that SQLite keeps next to a database in WAL mode. */
const besideEnds = ['-wal', '-shm'];

/**
 * The maximum size in bytes of a database that is checked at the start. Checking larger ones would delay the start; their damage
 * is found when it is read.
 */
const quickCheckUpToBytes = 8 * 1024 * 1024;

/**
 * Opens the database and migrates its schema. Renames a damaged file, or a folder in its place, and creates a new database.
 * Leaves the file of a newer version of Cooper unchanged. Throws `AppError('storage')` for that file, and if the disk fails.
 */
export function openDatabase(file: string, options: OpenOptions): OpenedDatabase {
  const folderAside = setFolderAside(file, options.nowMs);
  for (const end of besideEnds) setFolderAside(file + end, options.nowMs);
  if (folderAside !== null) return { database: openSound(file, options), setAsideAs: folderAside };
  try {
    if (!isEmptied(file)) return { database: openSound(file, options), setAsideAs: null };
  } catch (thrown) {
    if (!isDamage(thrown)) throw storageFailureOf(thrown) ?? thrown;
  }
  const setAsideAs = setAsideDatabase(file, options.nowMs);
  return { database: openSound(file, options), setAsideAs };
}

function openSound(file: string, options: OpenOptions): DatabaseSync {
  const isSmall = !existsSync(file) || statSync(file).size <= quickCheckUpToBytes;
  makePrivateFile(file);
  const database = new DatabaseSync(file, { timeout: 2000 });
  try {
    refuseNewer(database, options.migrations ?? allMigrations);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    if (isSmall) quickCheck(database);
    migrate(database, options.migrations ?? allMigrations);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

function refuseNewer(database: DatabaseSync, migrations: readonly Migration[]): void {
  const version = versionOf(database);
  if (version <= migrations.length) return;
  throw failure(
    'storage',
    `The data folder was used by a newer version of Cooper (its database has version ${version}; this program reads up to ${migrations.length}). Nothing was changed. Install the newer version, or choose another folder with --data-dir.`,
    { retry: 'after-fix', reason: 'database-newer' },
  );
}

/** Throws an error like SQLite's for a damaged file if the database is damaged. */
export function quickCheck(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found !== 'ok') throw Object.assign(new Error(`quick_check: ${String(found)}`), { errcode: 11 });
}

/** Runs each migration in its own transaction, so that after a crash the schema has exactly one version number. */
function migrate(database: DatabaseSync, migrations: readonly Migration[]): void {
  for (let version = versionOf(database); version < migrations.length; version++) {
    const step = migrations[version];
    if (step === undefined) break;
    inTransaction(database, () => database.exec(`${step.sql}; PRAGMA user_version = ${version + 1}`));
  }
}

export function setAsideDatabase(file: string, nowMs: number): string {
  const name = setAside(file, nowMs);
  // The write-ahead log belongs to the old file and would damage the new one.
  for (const end of besideEnds) {
    if (existsSync(file + end)) renameSync(file + end, name + end);
  }
  return name;
}

/** Returns true for an empty file. SQLite would silently treat it as a new database, which would hide the loss. */
function isEmptied(file: string): boolean {
  return existsSync(file) && statSync(file).isFile() && statSync(file).size === 0;
}
