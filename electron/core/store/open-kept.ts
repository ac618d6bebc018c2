import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { backupsDir, chosenBackup, restoreFile } from './backups.ts';
import {
  databaseFile,
  openDatabase,
  quickCheck,
  setAsideDatabase,
  type OpenedDatabase,
  type OpenOptions,
} from './database.ts';
import { holdingsOf, lossOf, readSummary, setGeneration, type DataLoss } from './database-summary.ts';
import { makePrivateFile } from './private-file.ts';
import { setAside, setFolderAside } from './safe-files.ts';
import { storageFailureOf } from './sqlite-errors.ts';

/** A backup that replaced the database at this start. */
export interface Restored {
  readonly backup: string;
  /** The path to which the previous database was moved; null if there was none or nothing was restored. */
  readonly keptAs: string | null;
  /** Why restoring failed; null on success. After a failure, the database is unchanged. */
  readonly error: string | null;
}

export interface CheckedDatabase extends OpenedDatabase {
  readonly loss: DataLoss | null;
  readonly restored: Restored | null;
}

/**
 * Opens the database of a data folder. First restores the backup that the user chose, then compares the database with its
 * summary. Throws `AppError('storage')` if the database cannot be opened.
 */
export function openCheckedDatabase(dataDir: string, options: OpenOptions): CheckedDatabase {
  const file = path.join(dataDir, databaseFile);
  const restored = restoreChosen(dataDir, file, options.nowMs);
  const summary = readSummary(file);
  const hadLog = existsSync(`${file}-wal`);
  const opened = openDatabase(file, options);
  try {
    // Only a successful restore replaces the database on purpose.
    const isReplaced = restored?.error === null;
    const loss = isReplaced ? null : lossOf(summary, holdingsOf(opened.database), hadLog);
    return { ...opened, loss, restored };
  } catch (thrown) {
    opened.database.close();
    throw storageFailureOf(thrown) ?? thrown;
  }
}

/** Restores the chosen backup. Removes the choice last, so that the next start repeats an interrupted restore. */
function restoreChosen(dataDir: string, file: string, nowMs: number): Restored | null {
  // A folder contains no choice, and removing it as a file would fail at each start.
  if (!existsSync(restoreFile(dataDir)) || setFolderAside(restoreFile(dataDir), nowMs) !== null) return null;
  const copy = `${file}.restored`;
  setFolderAside(copy, nowMs);
  let name = '';
  try {
    name = chosenBackup(dataDir);
    rmSync(copy, { force: true });
    makePrivateFile(copy);
    copyFileSync(path.join(backupsDir(dataDir), name), copy);
    makeNewest(copy, readSummary(file)?.generation ?? 0);
  } catch (thrown) {
    for (const leftover of [copy, restoreFile(dataDir)]) rmSync(leftover, { force: true });
    return { backup: name, keptAs: null, error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  const keptAs = existsSync(file) ? setAsideDatabase(file, nowMs) : null;
  for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) setAside(file + suffix, nowMs);
  renameSync(copy, file);
  rmSync(restoreFile(dataDir));
  return { backup: name, keptAs, error: null };
}

/** Checks the copy and gives it a higher generation than any summary. */
function makeNewest(copy: string, generation: number): void {
  const database = new DatabaseSync(copy);
  try {
    quickCheck(database);
    database.exec('PRAGMA journal_mode = DELETE');
    setGeneration(database, Math.max(generation, holdingsOf(database).generation) + 1);
  } finally {
    database.close();
  }
}
