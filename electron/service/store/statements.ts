import type { DatabaseSync, StatementSync } from 'node:sqlite';

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
