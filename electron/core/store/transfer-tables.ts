/** What a transfer consists of. One item is one row: a change of one rewrites no other. */
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

/** How much of a begun item is stored already; NULL: nothing of it has begun. Few items have begun at any time, so reading them costs little. */
export const begunBytesColumn = `
ALTER TABLE transfer_items ADD COLUMN begun_bytes INTEGER;
UPDATE transfer_items SET begun_bytes = json_extract(data, '$.upload.progress.bytesDone')
  WHERE state IN ('todo', 'held', 'failed', 'asking') AND json_extract(data, '$.upload') IS NOT NULL;
CREATE INDEX transfer_items_by_begun ON transfer_items (job_id, seq) WHERE begun_bytes IS NOT NULL;
`;
