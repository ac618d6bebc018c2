/** Records are JSON, which a zod schema parses when they are loaded. An invalid record moves to `set_aside`. */
const firstTables = `
  CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE typed_buckets (
    connection_id TEXT NOT NULL,
    bucket TEXT NOT NULL,
    PRIMARY KEY (connection_id, bucket)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE bookmarks (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE view_state (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE set_aside (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    record_id TEXT NOT NULL,
    record TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
`;

/** The tables of the queue. Each job is one row, so that updating it rewrites no other job. */
export const jobTables = `
CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  lock_key TEXT NOT NULL,
  due_ms INTEGER,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state, seq);
CREATE INDEX jobs_by_due ON jobs (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX jobs_by_lock ON jobs (lock_key);
CREATE INDEX jobs_by_connection ON jobs (connection_id, seq);

CREATE TABLE job_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX job_attempts_by_job ON job_attempts (job_id, id);

CREATE TABLE job_parts (
  job_id TEXT NOT NULL,
  part_number INTEGER NOT NULL,
  offset_bytes INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  state TEXT NOT NULL,
  md5 TEXT,
  etag TEXT,
  checksums TEXT,
  PRIMARY KEY (job_id, part_number)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_intents (
  job_id TEXT PRIMARY KEY,
  parts TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE job_broken (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  set_aside_ms INTEGER NOT NULL,
  error TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;

CREATE TABLE job_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** The items of transfers. Each item is one row, so that updating it rewrites no other item. */
const transferTables = `
CREATE TABLE transfer_items (
  job_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  state TEXT NOT NULL,
  note TEXT,
  due_ms INTEGER NOT NULL,
  size_bytes INTEGER,
  fold TEXT,
  data TEXT NOT NULL,
  PRIMARY KEY (job_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX transfer_items_by_state ON transfer_items (job_id, state, seq);
CREATE INDEX transfer_items_by_note ON transfer_items (job_id, note, seq) WHERE note IS NOT NULL;
CREATE INDEX transfer_items_by_fold ON transfer_items (job_id, fold) WHERE fold IS NOT NULL;
`;

/**
 * The number of stored bytes of a started item; NULL if it has not started. Few items are started at any time, so reading them is
 * cheap.
 */
const begunBytesColumn = `
ALTER TABLE transfer_items ADD COLUMN begun_bytes INTEGER;
UPDATE transfer_items SET begun_bytes = json_extract(data, '$.upload.progress.bytesDone')
  WHERE state IN ('todo', 'held', 'failed', 'asking') AND json_extract(data, '$.upload') IS NOT NULL;
CREATE INDEX transfer_items_by_begun ON transfer_items (job_id, seq) WHERE begun_bytes IS NOT NULL;
`;

/**
 * Adds the kind of work to each item and renames its `local` field, which was a path, a name below a folder or a key, depending
 * on the job. Replacing text is cheaper than json_set on millions of rows. It is safe because JSON escapes quotes in strings, so
 * `"local":` is always a member name, and only items have one. Items without a job are removed at the start.
 */
const workOfItems = `
UPDATE transfer_items SET data = CASE (SELECT kind FROM jobs WHERE id = job_id)
  WHEN 'upload' THEN '{"work":"upload",' || replace(substr(data, 2), '"local":', '"path":')
  WHEN 'download' THEN '{"work":"download",' || replace(substr(data, 2), '"local":', '"localName":')
  WHEN 'delete' THEN '{"work":"deletion",' || substr(data, 2)
  ELSE '{"work":"copy",' || replace(substr(data, 2), '"local":', '"targetKey":')
END;
`;

/** Finds jobs on many uploads. There are few of them, but each job on a single upload searches them. */
const jobsOfUploads = `
CREATE INDEX jobs_of_uploads ON jobs (id) WHERE kind IN ('abort-many', 'complete-many');
`;

/** Also finds jobs that resume many uploads from their files. */
const jobsOfAllUploads = `
DROP INDEX jobs_of_uploads;
CREATE INDEX jobs_of_uploads ON jobs (id) WHERE kind IN ('abort-many', 'complete-many', 'resume-many');
`;

/**
 * Finds any page of the queue without reading records; 19 MB for 1,000,000 jobs. Contains the columns by which lists are
 * filtered.
 */
export const jobsInOrder = `
CREATE INDEX jobs_in_order ON jobs (seq, state, connection_id);
`;

/**
 * Finds jobs by a text in their names without reading records: about 120 MB for 1,000,000 jobs, and 50 µs for each change of a
 * job. Contains what lists filter by.
 */
export const jobsByNames = `
CREATE INDEX jobs_by_names ON jobs (
  CASE WHEN json_valid(data) THEN concat_ws(char(10), json_extract(data, '$.bucket'), json_extract(data, '$.key'),
    json_extract(data, '$.name'), json_extract(data, '$.prefix'), json_extract(data, '$.file.name'),
    json_extract(data, '$.operation.to.bucket'), json_extract(data, '$.operation.to.prefix')) END,
  state, connection_id
);
`;

/**
 * The same in the order of jobs, so that a search reads a slice of them at a time. The query has the same expression
 * (core/jobs/job-rows.ts).
 */
export const jobNamesInOrder = `
DROP INDEX jobs_by_names;
CREATE INDEX jobs_by_names ON jobs (
  seq,
  CASE WHEN json_valid(data) THEN concat_ws(char(10), json_extract(data, '$.bucket'), json_extract(data, '$.key'),
    json_extract(data, '$.name'), json_extract(data, '$.prefix'), json_extract(data, '$.file.name'),
    json_extract(data, '$.operation.to.bucket'), json_extract(data, '$.operation.to.prefix')) END,
  state, connection_id
);
`;

/** A migration of the schema. Its number is its position in the list. Released migrations must never change. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** All migrations in order. To add one, append a line. */
export const migrations: readonly Migration[] = [
  { name: 'connections, buckets, bookmarks, settings', sql: firstTables },
  { name: 'jobs, their attempts, parts and intents', sql: jobTables },
  { name: 'the items of transfers', sql: transferTables },
  { name: 'the stored bytes of unsettled items', sql: begunBytesColumn },
  { name: 'the work of items', sql: workOfItems },
  { name: 'the jobs of many uploads', sql: jobsOfUploads },
  { name: 'the jobs of many uploads that are finished from files', sql: jobsOfAllUploads },
  { name: 'the order of jobs', sql: jobsInOrder },
  { name: 'the names of jobs', sql: jobsByNames },
  { name: 'the names of jobs, in their order', sql: jobNamesInOrder },
];
