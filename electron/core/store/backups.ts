import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import type { Clock, Logger } from '../ports.ts';
import { writeFileAtomically } from './safe-files.ts';
import { holdingsOf } from './database-summary.ts';
import { makePrivateFile, makePrivateFolder } from './private-file.ts';

/** The maximum number of backups. One is made each day, and older ones are removed. */
export const maxBackups = 7;
const maxTotalBytes = 1024 ** 3;
const checkMs = 60 * 60_000;
const namePattern = /^cooper-(\d{4}-\d{2}-\d{2})\.db$/;
const restoreSchema = z.object({ backup: z.string().regex(namePattern) });

export interface BackupsDeps {
  readonly database: DatabaseSync;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function backupsDir(dataDir: string): string {
  return path.join(dataDir, 'backups');
}

/** Returns the names of the backups, newest first. */
export function backupNames(dataDir: string): readonly string[] {
  const dir = backupsDir(dataDir);
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => namePattern.test(name))
    .toSorted()
    .toReversed();
}

export function restoreFile(dataDir: string): string {
  return path.join(dataDir, 'restore.json');
}

/** Returns the backup that the next start restores. Throws if the choice cannot be read. */
export function chosenBackup(dataDir: string): string {
  return restoreSchema.parse(JSON.parse(readFileSync(restoreFile(dataDir), 'utf8'))).backup;
}

/**
 * Chooses the backup that the next start restores, and changes nothing else. Throws `AppError('not-found')` if the backup is
 * gone.
 */
export async function chooseBackup(dataDir: string, name: string, suffix: string): Promise<void> {
  if (!backupNames(dataDir).includes(name))
    throw failure('not-found', 'There is no such backup.', { reason: 'backup-gone' });
  await writeFileAtomically(restoreFile(dataDir), `${JSON.stringify({ backup: name })}\n`, { suffix });
}

/** Backs up the database daily and keeps the latest backups. */
export class Backups {
  readonly #deps: BackupsDeps;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.#deps;
    const { signal } = this.#ended;
    // Delayed at first, so that the program starts fast.
    for (let waitMs = 10_000; !signal.aborted; waitMs = checkMs) {
      try {
        await clock.sleep(waitMs, signal);
      } catch {
        return;
      }
      try {
        await this.#makeIfDue();
      } catch (thrown) {
        logger.warn('Could not make the daily backup of the database.', { err: thrown });
      }
    }
  }

  async #makeIfDue(): Promise<void> {
    const { database, dataDir, clock } = this.#deps;
    const name = `cooper-${new Date(clock.nowMs()).toISOString().slice(0, 10)}.db`;
    const dir = backupsDir(dataDir);
    const file = path.join(dir, name);
    const { connections, jobs } = holdingsOf(database);
    if (existsSync(file) || connections + jobs === 0) return;
    makePrivateFolder(dir);
    const half = `${file}.new`;
    rmSync(half, { force: true });
    makePrivateFile(half);
    await backup(database, half);
    renameSync(half, file);
    prune(dataDir);
  }
}

/** Removes the oldest backups above the limits, but never the newest. */
function prune(dataDir: string): void {
  let totalBytes = 0;
  for (const [index, name] of backupNames(dataDir).entries()) {
    const file = path.join(backupsDir(dataDir), name);
    totalBytes += statSync(file).size;
    if (index > 0 && (index >= maxBackups || totalBytes > maxTotalBytes)) rmSync(file);
  }
}
