/** Records are JSON, which a zod schema parses when they are loaded. An invalid record moves to `set_aside`. */
export const firstTables = `
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
