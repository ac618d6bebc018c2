import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makePrivateFile, makePrivateFolder } from '../../core/store/private-file.ts';

/**
 * Keys are BLOBs, so that SQLite orders them by their UTF-8 bytes. Content is not in `objects`, so that a listing reads only the
 * index. `content`: 0 for none, n > 0 for chunk n, n < 0 for the chunks of manifest -n.
 */
const objectTables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE buckets (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL
  );
  CREATE TABLE objects (
    bucket INTEGER NOT NULL, key BLOB NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, modified_ms INTEGER NOT NULL,
    storage_class TEXT NOT NULL, content INTEGER NOT NULL, head TEXT, PRIMARY KEY (bucket, key)
  ) WITHOUT ROWID;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, refs INTEGER NOT NULL, size INTEGER NOT NULL, bytes BLOB, file TEXT
  );
  CREATE UNIQUE INDEX chunks_by_file ON chunks (file) WHERE file IS NOT NULL;
  CREATE TABLE manifests (id INTEGER PRIMARY KEY AUTOINCREMENT);
  CREATE TABLE segments (
    manifest INTEGER NOT NULL, seq INTEGER NOT NULL, chunk INTEGER NOT NULL, start INTEGER NOT NULL,
    size INTEGER NOT NULL, PRIMARY KEY (manifest, seq)
  ) WITHOUT ROWID;
  CREATE TABLE uploads (
    id TEXT PRIMARY KEY, bucket INTEGER NOT NULL, key BLOB NOT NULL, initiated_ms INTEGER NOT NULL,
    storage_class TEXT NOT NULL, head TEXT, checksum_algorithm TEXT, checksum_type TEXT
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX uploads_by_key ON uploads (bucket, key, id);
  CREATE TABLE parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, modified_ms INTEGER NOT NULL,
    content INTEGER NOT NULL, checksums TEXT, PRIMARY KEY (upload, number)
  ) WITHOUT ROWID;
`;

/** `seq` orders the versions of a key; the highest is the latest. `version` is NULL for S3's null version. */
const versionTables = `
  ALTER TABLE buckets ADD COLUMN versioning TEXT;
  ALTER TABLE objects ADD COLUMN version TEXT;
  ALTER TABLE objects ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE versions (
    bucket INTEGER NOT NULL, key BLOB NOT NULL, seq INTEGER NOT NULL, version TEXT, is_marker INTEGER NOT NULL,
    size INTEGER NOT NULL, etag TEXT NOT NULL, modified_ms INTEGER NOT NULL, storage_class TEXT NOT NULL,
    content INTEGER NOT NULL, head TEXT, PRIMARY KEY (bucket, key, seq DESC)
  ) WITHOUT ROWID;
  CREATE TABLE version_counter (value INTEGER NOT NULL);
  INSERT INTO version_counter VALUES (0);
`;

/** The migrations. Each one upgrades an index to the next version. */
const steps = [objectTables, versionTables];
const version = steps.length;

/** Thrown if another instance uses the folder. */
export class DataFolderInUse extends Error {
  constructor(dataDir: string, options?: { readonly cause?: unknown }) {
    super(`The folder ${dataDir} is already in use by another object storage service.`, options);
    this.name = 'DataFolderInUse';
  }
}

/**
 * Opens the index and locks the folder. The system releases the lock when this process ends. Throws DataFolderInUse while another
 * process holds the lock.
 */
export function openIndex(dataDir: string): DatabaseSync {
  makePrivateFolder(dataDir);
  const path = join(dataDir, 'index.sqlite');
  makePrivateFile(path);
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;');
    db.exec('PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=4000;');
    db.exec('BEGIN IMMEDIATE');
    migrate(db);
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new DataFolderInUse(dataDir, { cause: error });
    throw error;
  }
}

function migrate(db: DatabaseSync): void {
  const found = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (found > version) {
    throw new Error(
      `The object storage folder was written by a newer version (${found}); this one reads ${version}.`,
    );
  }
  if (found === version) return;
  for (const step of steps.slice(found)) db.exec(step);
  db.exec(`PRAGMA user_version=${version}`);
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
  return (code & 0xff) === 5 || (code & 0xff) === 6;
}

export type Statements = Readonly<Record<StatementName, StatementSync>>;
type StatementName =
  | 'getMeta'
  | 'setMeta'
  | 'deleteMeta'
  | 'buckets'
  | 'bucket'
  | 'insertBucket'
  | 'deleteBucket'
  | 'anyObject'
  | 'range'
  | 'skip';

const listedColumns = 'CAST(o.key AS TEXT), o.size, o.etag, o.modified_ms, o.storage_class';

/**
 * Selects the first key of each entry of a listing with a delimiter, with one index search per entry. The next search starts at a
 * plain key plus a zero byte, or at a common prefix with its last byte incremented.
 */
const skipScan = `
  WITH RECURSIVE entry (key) AS (
    SELECT * FROM (
      SELECT key FROM objects WHERE bucket = :bucket AND key >= :from AND key < :to ORDER BY key LIMIT 1
    )
    UNION ALL
    SELECT (
      SELECT o.key FROM objects o WHERE o.bucket = :bucket AND o.key < :to AND o.key >= CAST(
        CASE instr(substr(entry.key, :tail), :delimiter)
          WHEN 0 THEN entry.key || x'00'
          ELSE substr(
            entry.key, 1, :tail + instr(substr(entry.key, :tail), :delimiter) + :delimiter_size - 3
          ) || :above
        END AS BLOB
      ) ORDER BY o.key LIMIT 1
    ) FROM entry WHERE entry.key IS NOT NULL LIMIT :limit
  )
  SELECT ${listedColumns} FROM entry CROSS JOIN objects o WHERE o.bucket = :bucket AND o.key = entry.key`;

/** Prepares the statements for buckets and objects. */
export function prepareStatements(db: DatabaseSync): Statements {
  const range = db.prepare(
    `SELECT ${listedColumns} FROM objects o WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?`,
  );
  range.setReturnArrays(true);
  const skip = db.prepare(skipScan);
  skip.setReturnArrays(true);
  return {
    getMeta: db.prepare('SELECT value FROM meta WHERE name = ?'),
    setMeta: db.prepare(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    ),
    deleteMeta: db.prepare('DELETE FROM meta WHERE name = ?'),
    buckets: db.prepare('SELECT * FROM buckets ORDER BY name'),
    bucket: db.prepare('SELECT * FROM buckets WHERE name = ?'),
    insertBucket: db.prepare('INSERT INTO buckets (name, created_ms) VALUES (?, ?)'),
    deleteBucket: db.prepare('DELETE FROM buckets WHERE id = ?'),
    anyObject: db.prepare('SELECT 1 FROM objects WHERE bucket = ? LIMIT 1'),
    range,
    skip,
  };
}
