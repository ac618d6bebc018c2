import { constants, copyFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { asideName, setFolderAside } from '../core/store/safe-files.ts';
import { isBusy, isDamage } from '../core/store/sqlite-errors.ts';
import { makePrivateFile } from '../core/store/private-file.ts';

export interface Lock {
  /** The new path of a damaged lock file, or of a folder with its name, after it was moved; null if nothing was moved. */
  readonly setAsideAs: string | null;
  release(): void;
}

/** Keeps references to the databases of held locks. The garbage collector would close them and release the locks. */
const lockedDatabases = new Set<DatabaseSync>();

/**
 * Locks a data folder. Returns null if another process holds the lock. Uses the operating system's lock on an SQLite file, which
 * is released however the process ends. The lock is held until `release`, even if the caller drops its reference.
 */
export function takeLock(dataDir: string, fileName = 'lock.db'): Lock | null {
  const file = path.join(dataDir, fileName);
  const folderAside = setFolderAside(file, Date.now());
  const lock = tryLock(file, folderAside);
  if (lock !== 'damaged') return lock;
  const setAsideAs = asideName(file, Date.now());
  copyFileSync(file, setAsideAs, constants.COPYFILE_EXCL);
  // The file is truncated rather than renamed, because another process may just have locked it.
  truncateSync(file);
  const again = tryLock(file, setAsideAs);
  if (again === 'damaged') throw new Error(`The lock ${file} cannot be used.`);
  return again;
}

function tryLock(file: string, setAsideAs: string | null): Lock | 'damaged' | null {
  // A user who can read the file could start a transaction, which would block the lock.
  makePrivateFile(file);
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (isBusy(thrown)) return null;
    if (isDamage(thrown)) return 'damaged';
    throw thrown;
  }
  lockedDatabases.add(database);
  return {
    setAsideAs,
    release: () => {
      lockedDatabases.delete(database);
      database.close();
    },
  };
}
