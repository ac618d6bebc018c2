import type { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import type { Clock, Logger, Random } from '../ports.ts';
import { Backups, type BackupsDeps } from './backups.ts';
import { databaseFile } from './database.ts';
import { holdingsOf, setGeneration, writeSummary } from './database-summary.ts';

/** The interval between checks for changes, in milliseconds. */
export const tickMs = 1000;
/** During continuous changes, the write-ahead log is checkpointed at least this often, in milliseconds. */
const maxCheckpointDelayMs = 5000;

export interface KeeperDeps {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly clock: Clock;
  readonly random: Pick<Random, 'id'>;
  readonly logger: Logger;
}

/**
 * Checkpoints the write-ahead log soon after each change, and writes a summary file next to the database. So the log never
 * contains more than the last seconds.
 */
export class DatabaseKeeper {
  readonly #deps: KeeperDeps;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;
  /** The number of changed rows that SQLite reported at the last check, and at the last checkpoint. */
  #seen = -1;
  #kept = -1;
  #keptMs: number;
  #hasFailed = false;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#keptMs = deps.clock.monotonicMs();
    this.#running = this.#run();
  }

  /** Stops the checks and writes a summary with `isClosed`. The caller must then close the database. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#running;
    await this.#keep(true);
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#deps.clock.sleep(tickMs, signal);
      } catch {
        return;
      }
      await this.#tick();
    }
  }

  async #tick(): Promise<void> {
    const changes = this.#changes();
    if (changes === this.#kept) return;
    const isAtRest = changes === this.#seen;
    this.#seen = changes;
    const isDue = this.#deps.clock.monotonicMs() - this.#keptMs >= maxCheckpointDelayMs;
    if (isAtRest || isDue || this.#kept === -1) await this.#keep(false);
  }

  async #keep(isClosed: boolean): Promise<void> {
    const { database, file, clock, random, logger } = this.#deps;
    try {
      setGeneration(database, holdingsOf(database).generation + 1);
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      this.#kept = this.#changes();
      this.#keptMs = clock.monotonicMs();
      // Written after the checkpoint, so that the database is never older than its summary.
      await writeSummary(file, { ...holdingsOf(database), isClosed }, random.id());
      this.#hasFailed = false;
    } catch (thrown) {
      // The next tick retries. A full disk is reported by the operation that encounters it.
      this.#kept = -1;
      if (!this.#hasFailed) logger.warn('Could not write the summary of the database.', { err: thrown });
      this.#hasFailed = true;
    }
  }

  #changes(): number {
    return Number(this.#deps.database.prepare('SELECT total_changes() AS n').get()?.['n'] ?? 0);
  }
}

/** Checkpoints the database after changes and backs it up each day, until closed. The caller must then close the database. */
export function keepDatabase(deps: BackupsDeps & Pick<KeeperDeps, 'random'>): { close(): Promise<void> } {
  const keeper = new DatabaseKeeper({ ...deps, file: path.join(deps.dataDir, databaseFile) });
  const backups = new Backups(deps);
  return {
    close: async () => {
      await backups.close();
      await keeper.close();
    },
  };
}
