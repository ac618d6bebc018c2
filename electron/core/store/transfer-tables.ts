/** The items of transfers. Each item is one row, so that updating it rewrites no other item. */
export const transferTables = `
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
export const begunBytesColumn = `
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
export const workOfItems = `
UPDATE transfer_items SET data = CASE (SELECT kind FROM jobs WHERE id = job_id)
  WHEN 'upload' THEN '{"work":"upload",' || replace(substr(data, 2), '"local":', '"path":')
  WHEN 'download' THEN '{"work":"download",' || replace(substr(data, 2), '"local":', '"localName":')
  WHEN 'delete' THEN '{"work":"deletion",' || substr(data, 2)
  ELSE '{"work":"copy",' || replace(substr(data, 2), '"local":', '"targetKey":')
END;
`;
