import { constants, copyFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { asideName, setFolderAside } from '../core/store/set-aside.ts';
import { isDamage } from '../core/store/sqlite-errors.ts';
import { makePrivateFile } from '../core/store/private-file.ts';

export interface Lock {
  /** Where that has been put which was at the lock's name and was no lock; null: nothing did. */
  readonly setAsideAs: string | null;
  release(): void;
}

/** A database that nothing refers to is closed when V8 collects it, and its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock on a data folder, or returns null while another process holds it. The lock is one of the operating
 * system's, held through an SQLite file: the system gives it back however the process ends, and no process id is
 * written down that could later belong to somebody else. It is held until its release, also by a caller that keeps no reference.
 */
export function takeLock(dataDir: string, fileName = 'lock.db'): Lock | null {
  const file = path.join(dataDir, fileName);
  const folderAside = setFolderAside(file, Date.now());
  const lock = tryLock(file, folderAside);
  if (lock !== 'damaged') return lock;
  const setAsideAs = asideName(file, Date.now());
  copyFileSync(file, setAsideAs, constants.COPYFILE_EXCL);
  // Emptied in its place and not renamed: another process may just have taken the lock on this very file.
  truncateSync(file);
  const again = tryLock(file, setAsideAs);
  if (again === 'damaged') throw new Error(`The lock ${file} cannot be used.`);
  return again;
}

function tryLock(file: string, setAsideAs: string | null): Lock | 'damaged' | null {
  // Whoever can read it can begin a transaction, and keep the lock from everybody.
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
  held.add(database);
  return {
    setAsideAs,
    release: () => {
      held.delete(database);
      database.close();
    },
  };
}

const sqliteBusy = 5;

function isBusy(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return false;
  return (thrown.errcode & 0xff) === sqliteBusy;
}
