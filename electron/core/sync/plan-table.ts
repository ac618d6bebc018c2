import { assertNever } from '../../../shared/assert-never.ts';
import type { SyncFilter, SyncReason, SyncRow } from '../../../shared/models/sync.ts';
import { ScratchDatabase } from '../store/scratch.ts';
import { inTransaction } from '../store/transaction.ts';
import { isMarkerKey } from './sync-rules.ts';

/** An entry of the local folder. */
export interface LocalEntry {
  readonly key: string;
  /** The path below the chosen folder, with `/` between its segments. */
  readonly local: string;
  readonly kind: 'file' | 'folder';
  readonly sizeBytes: number | null;
  readonly modifiedMs: number | null;
  /** The reason why the entry is skipped; null if it is not. */
  readonly note: SyncReason | null;
  /** True if the entry is behind a link that leads out of the folder and that the user chose to follow. */
  readonly leaves: boolean;
}

/** An object below the prefix. */
export interface RemoteEntry {
  /** The key without the prefix. */
  readonly key: string;
  readonly local: string;
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly modifiedAt: string | null;
}

/** A row of a plan, with further properties that only running it needs. */
export interface PlannedRow extends SyncRow {
  readonly etag: string | null;
  readonly localMs: number | null;
  /** True if the local entry is behind a link that leads out of the folder. */
  readonly leaves: boolean;
  /** For a deletion on this computer: the folder below which folders that become empty are removed too. */
  readonly keep: string | null;
}

export type Side = 'local' | 'remote';
type Row = Readonly<Record<string, unknown>>;

const schema = `
  CREATE TABLE local (key TEXT PRIMARY KEY, fold TEXT, path TEXT, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE remote (key TEXT PRIMARY KEY, fold TEXT, path TEXT, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX local_by_fold ON local (fold, key) WHERE fold IS NOT NULL;
  CREATE INDEX remote_by_fold ON remote (fold, key) WHERE fold IS NOT NULL;
  CREATE INDEX local_by_path ON local (path) WHERE path IS NOT NULL;
  CREATE INDEX remote_by_path ON remote (path) WHERE path IS NOT NULL;
  CREATE TABLE rows (
    seq INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    of_action INTEGER NOT NULL,
    of_changes INTEGER,
    of_changes_with_deletions INTEGER,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX rows_by_action ON rows (action, of_action);
  CREATE INDEX rows_by_change ON rows (of_changes) WHERE of_changes IS NOT NULL;
  CREATE INDEX rows_by_any_change ON rows (of_changes_with_deletions)
    WHERE of_changes_with_deletions IS NOT NULL;
`;

/** The size of SQLite's page cache. Keys arrive in any order, so inserts change pages everywhere in the tables. */
const cacheKiB = 8000;
const pageSize = 500;
/** The columns with the number of a row in lists of several actions. */
const numberColumns: Partial<Record<SyncFilter, string>> = {
  all: 'seq',
  changes: 'of_changes',
  'changes-with-deletions': 'of_changes_with_deletions',
};

/** Stores both sides of a plan and its rows in a temporary database that only this run of the program needs. */
export class PlanTable {
  readonly #scratch: ScratchDatabase;
  readonly #totals = new Map<SyncFilter, number>();

  constructor(file: string) {
    this.#scratch = new ScratchDatabase(file, schema, cacheKiB);
  }

  /** Adds entries of one side. Entries with a known key are ignored. */
  add(
    side: Side,
    entries: readonly (LocalEntry | RemoteEntry)[],
    foldOf: ((local: string, key: string) => string) | null,
  ): void {
    const insert = this.#scratch.prepared(
      `INSERT OR IGNORE INTO ${side} (key, fold, path, data) VALUES (?, ?, ?, ?)`,
    );
    inTransaction(this.#scratch.database, () => {
      for (const entry of entries)
        insert.run(
          entry.key,
          foldOf === null ? null : foldOf(entry.local, entry.key),
          pathUnlikeKey(entry),
          JSON.stringify(entry),
        );
    });
  }

  *locals(): Generator<LocalEntry, void, void> {
    yield* this.#inOrder<LocalEntry>('local');
  }

  *remotes(): Generator<RemoteEntry, void, void> {
    yield* this.#inOrder<RemoteEntry>('remote');
  }

  *#inOrder<T extends { readonly key: string }>(side: Side): Generator<T, void, void> {
    let after = '';
    for (;;) {
      const page = this.#scratch
        .prepared(`SELECT data FROM ${side} WHERE key > ? ORDER BY key LIMIT ?`)
        .all(after, pageSize)
        .map((row) => JSON.parse(String((row as Row)['data'])) as T);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.key;
    }
  }

  /**
   * Returns true if a side has this local folder (which ends with `/`) or anything in it. Searches by path, because escaped keys
   * sort differently. The range ends at `0`, the next character after `/`.
   */
  hasFolder(side: Side, folder: string): boolean {
    const end = `${folder.slice(0, -1)}0`;
    return (
      this.#scratch
        .prepared(`SELECT 1 FROM ${side} WHERE key >= ? AND key < ? AND path IS NULL LIMIT 1`)
        .get(folder, end) !== undefined ||
      this.#scratch
        .prepared(`SELECT 1 FROM ${side} WHERE path >= ? AND path < ? AND path IS NOT NULL LIMIT 1`)
        .get(folder, end) !== undefined
    );
  }

  has(side: Side, key: string): boolean {
    return this.#scratch.prepared(`SELECT 1 FROM ${side} WHERE key = ?`).get(key) !== undefined;
  }

  local(key: string): LocalEntry | null {
    const row = this.#scratch.prepared('SELECT data FROM local WHERE key = ?').get(key);
    return row === undefined ? null : (JSON.parse(String(row['data'])) as LocalEntry);
  }

  /** Returns true if another key has the same name on this disk. With `before`, only keys that sort before this one count. */
  sharesFold(side: Side, fold: string, key: string, where: 'before' | 'any'): boolean {
    return (
      this.#scratch
        .prepared(`SELECT 1 FROM ${side} WHERE fold = ? AND key ${where === 'before' ? '<' : '!='} ? LIMIT 1`)
        .get(fold, key) !== undefined
    );
  }

  addRows(rows: readonly PlannedRow[]): void {
    const insert = this.#scratch.prepared(
      'INSERT INTO rows (seq, action, of_action, of_changes, of_changes_with_deletions, data) VALUES (?, ?, ?, ?, ?, ?)',
    );
    inTransaction(this.#scratch.database, () => {
      for (const row of rows) {
        insert.run(
          this.#next('all'),
          row.action,
          this.#next(row.action),
          isChange(row, false) ? this.#next('changes') : null,
          isChange(row, true) ? this.#next('changes-with-deletions') : null,
          JSON.stringify(row),
        );
      }
    });
  }

  #next(filter: SyncFilter): number {
    const number = this.#totals.get(filter) ?? 0;
    this.#totals.set(filter, number + 1);
    return number;
  }

  /** Returns a range of rows. Fast at every offset, because each row stores its number in the list. */
  read(filter: SyncFilter, offset: number, limit: number): { rows: PlannedRow[]; total: number } {
    const total = this.#totals.get(filter) ?? 0;
    const end = offset + limit;
    const column = numberColumns[filter];
    const found =
      column === undefined
        ? this.#scratch
            .prepared(
              'SELECT data FROM rows WHERE action = ? AND of_action >= ? AND of_action < ? ORDER BY of_action',
            )
            .all(filter, offset, end)
        : this.#scratch
            .prepared(`SELECT data FROM rows WHERE ${column} >= ? AND ${column} < ? ORDER BY ${column}`)
            .all(offset, end);
    return { rows: found.map((row) => JSON.parse(String((row as Row)['data'])) as PlannedRow), total };
  }

  drop(): void {
    this.#scratch.drop();
  }
}

/** Returns true if running the plan would change this row. Without deletions, a row that needs one does not change. */
function isChange({ action, reason }: PlannedRow, withDeletions: boolean): boolean {
  switch (action) {
    case 'overwrite':
      return true;
    case 'copy':
      return withDeletions || reason !== 'needs-deletion';
    case 'delete':
      return withDeletions;
    case 'same':
    case 'skipped':
      return false;
    default:
      return assertNever(action);
  }
}

/** Returns the local path, with `/` at its end for a folder; null if it equals the key. */
function pathUnlikeKey(entry: LocalEntry | RemoteEntry): string | null {
  const isFolder = 'kind' in entry ? entry.kind === 'folder' : isMarkerKey(entry.key, entry.sizeBytes);
  const path = isFolder ? `${entry.local}/` : entry.local;
  return path === entry.key ? null : path;
}
