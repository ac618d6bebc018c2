import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../core/store/private-file.ts';

export interface Lock {
  release(): void;
}

/**
 * Takes the lock on a data folder, or returns null while another process holds it. The lock is one of the operating
 * system's, held through an SQLite file: the system gives it back however the process ends, and no process id is
 * written down that could later belong to somebody else.
 */
export function takeLock(dataDir: string, fileName = 'lock.db'): Lock | null {
  const file = path.join(dataDir, fileName);
  // Whoever can read it can begin a transaction, and keep the lock from everybody.
  makePrivateFile(file);
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (isBusy(thrown)) return null;
    throw thrown;
  }
  return { release: () => database.close() };
}

const sqliteBusy = 5;

function isBusy(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return false;
  return (thrown.errcode & 0xff) === sqliteBusy;
}
