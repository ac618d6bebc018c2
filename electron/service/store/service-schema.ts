import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
