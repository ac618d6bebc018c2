/** Finds jobs on many uploads. There are few of them, but each job on a single upload searches them. */
export const jobsOfUploads = `
CREATE INDEX jobs_of_uploads ON jobs (id) WHERE kind IN ('abort-many', 'complete-many');
`;

/** Also finds jobs that resume many uploads from their files. */
export const jobsOfAllUploads = `
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
 * job. Contains what lists filter by. The query has the same expression (core/jobs/job-rows.ts).
 */
export const jobsByNames = `
CREATE INDEX jobs_by_names ON jobs (
  CASE WHEN json_valid(data) THEN concat_ws(char(10), json_extract(data, '$.bucket'), json_extract(data, '$.key'),
    json_extract(data, '$.name'), json_extract(data, '$.prefix'), json_extract(data, '$.file.name'),
    json_extract(data, '$.operation.to.bucket'), json_extract(data, '$.operation.to.prefix')) END,
  state, connection_id
);
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
