import type { ObjectEntry } from '../../../../shared/models/objects.ts';
import type { Holding, SmallestSize } from '../../../../shared/models/prices.ts';
import type { WalkChildren, WalkChildSort, WalkRows, WalkSort } from '../../../../shared/models/walks.ts';
import { ScratchDatabase } from '../../store/scratch.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { ChildSum } from '../pages/page-messages.ts';
import { changeRows, type RowChange, type RowSums } from './changed-rows.ts';
import { renderRows, type Cursor, type ExportChunk, type RowFormat } from './export-text.ts';

interface TableExport {
  readonly format: RowFormat;
  readonly bucket: string;
  readonly hasEtags: boolean;
  readonly sort: WalkSort;
  readonly from: Cursor | null;
  readonly limit: number;
}

type Row = Readonly<Record<string, string | number | bigint | null | Uint8Array>>;

const schema = `
  CREATE TABLE objects (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified TEXT NOT NULL,
    etag TEXT,
    class TEXT
  ) STRICT;
  CREATE TABLE removed (
    key TEXT PRIMARY KEY,
    id INTEGER NOT NULL,
    size INTEGER NOT NULL,
    modified TEXT NOT NULL,
    etag TEXT,
    class TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE children (
    prefix TEXT PRIMARY KEY,
    keys INTEGER NOT NULL,
    size INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** The page cache of SQLite. Rows are appended, then sorted and read in order, so a larger cache would not help. */
const cacheKiB = 2000;

/** The columns by which rows are sorted. SQLite compares text by UTF-8 bytes, which is the service's order. */
const columns = { found: 'id', key: 'key', size: 'size', modified: 'modified' } as const;

/**
 * Stores the results of one walk in a file. The file is deleted with this run of the program, so it is never flushed to disk.
 * Used in a thread, because sorting a million rows takes time.
 */
export class WalkTable {
  readonly #scratch: ScratchDatabase;
  readonly #indexes = new Set<string>();
  #total = 0;
  #skipsKnown = false;

  constructor(file: string) {
    this.#scratch = new ScratchDatabase(file, schema, cacheKiB);
  }

  add({ rows, children }: { rows: Uint8Array<ArrayBuffer> | null; children: readonly ChildSum[] }): void {
    inTransaction(this.#scratch.database, () => {
      if (rows !== null) this.#addRows(rows);
      const insert = this.#scratch.prepared(
        `INSERT INTO children (prefix, keys, size) VALUES (?, ?, ?)
         ON CONFLICT (prefix) DO UPDATE SET keys = keys + excluded.keys, size = size + excluded.size`,
      );
      for (const [prefix, keys, sizeBytes] of children) insert.run(prefix, keys, sizeBytes);
    });
  }

  #addRows(rows: Uint8Array<ArrayBuffer>): void {
    const values = JSON.parse(
      Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString('utf8'),
    ) as (string | number | null)[];
    // Frees the rows at once. They are outside the JavaScript heap, so garbage collection would free them late.
    rows.buffer.transfer(0);
    const insert = this.#scratch.prepared(
      `INSERT ${this.#skipsKnown ? 'OR IGNORE ' : ''}INTO objects (key, size, modified, etag, class) VALUES (?, ?, ?, ?, ?)`,
    );
    for (let at = 0; at < values.length; at += 5) {
      const [key = null, size = null, modified = null, etag = null, storageClass = null] = values.slice(
        at,
        at + 5,
      );
      this.#total += Number(insert.run(key, size, modified ?? '', etag, storageClass).changes);
    }
  }

  /** Prepares for a repeated listing: deletes all rows, or with `keepRows` keeps them and skips repeated keys. */
  restart({ keepRows }: { keepRows: boolean }): void {
    this.#scratch.database.exec('DELETE FROM children');
    if (keepRows) {
      this.#scratch.database.exec('CREATE UNIQUE INDEX IF NOT EXISTS known ON objects (key)');
      this.#skipsKnown = true;
      return;
    }
    this.#scratch.database.exec('DELETE FROM objects; DELETE FROM removed');
    this.#total = 0;
  }

  /**
   * Removes, renames and restores rows. Returns the sums of rows that left and came back, and how many changes concern no known
   * row.
   */
  change({ changes }: { changes: readonly RowChange[] }): RowSums {
    this.#index('key');
    const sums = changeRows(this.#scratch, changes);
    this.#total += sums.rows;
    return sums;
  }

  /** Returns those of these keys that have a row. */
  present({ keys }: { keys: readonly string[] }): readonly string[] {
    this.#index('key');
    const known = this.#scratch.prepared('SELECT 1 FROM objects WHERE key = ?');
    return keys.filter((key) => known.get(key) !== undefined);
  }

  read({ offset, limit, sort }: { offset: number; limit: number; sort: WalkSort }): WalkRows {
    this.#index(sort.by);
    const direction = sort.descending ? 'DESC' : 'ASC';
    const column = columns[sort.by];
    const order = sort.by === 'found' ? `id ${direction}` : `${column} ${direction}, id ${direction}`;
    const rows = this.#scratch
      .prepared(`SELECT * FROM objects ORDER BY ${order} LIMIT ? OFFSET ?`)
      .all(limit, offset);
    return { rows: rows.map(entryOf), total: this.#total };
  }

  children({ offset, limit, sort }: { offset: number; limit: number; sort: WalkChildSort }): WalkChildren {
    const direction = sort.descending ? 'DESC' : 'ASC';
    const children = this.#scratch
      .prepared(
        `SELECT prefix, keys, size FROM children ORDER BY ${sort.by} ${direction}, prefix ${direction} LIMIT ? OFFSET ?`,
      )
      .all(limit, offset) as Row[];
    const total = this.#scratch.prepared('SELECT count(*) AS total FROM children').get() as Row;
    return {
      children: children.map((row) => ({
        prefix: String(row['prefix']),
        keys: Number(row['keys']),
        sizeBytes: Number(row['size']),
      })),
      total: Number(total['total']),
    };
  }

  /** Returns the rows after a key, in key order. */
  after({ key, limit }: { key: string | null; limit: number }): readonly ObjectEntry[] {
    this.#index('key');
    // An empty text sorts before all keys, since no key is empty.
    return this.#scratch
      .prepared('SELECT * FROM objects WHERE key > ? ORDER BY key LIMIT ?')
      .all(key ?? '', limit)
      .map(entryOf);
  }

  /** Returns rows in the order in which they were found. */
  found({ afterId, limit }: { afterId: number; limit: number }): {
    rows: readonly ObjectEntry[];
    lastId: number;
  } {
    const rows = this.#scratch
      .prepared('SELECT * FROM objects WHERE id > ? ORDER BY id LIMIT ?')
      .all(afterId, limit);
    return { rows: rows.map(entryOf), lastId: Number((rows.at(-1) as Row | undefined)?.['id'] ?? afterId) };
  }

  export({ format, bucket, hasEtags, sort, from, limit }: TableExport): ExportChunk {
    const rows = this.#from(sort, from, limit);
    const last = rows.at(-1) as Row | undefined;
    const isEnd = last === undefined || rows.length < limit;
    const next: Cursor | null = isEnd
      ? null
      : [last[columns[sort.by]] as string | number, Number(last['id'])];
    const place = { bucket, hasEtags, isFirst: from === null, isLast: isEnd };
    const text = renderRows(format, rows.map(entryOf), place);
    return { bytes: new TextEncoder().encode(text), rows: rows.length, next };
  }

  /**
   * Returns the sums of all rows by storage class and month. Each object counts with at least the minimum size billed for its
   * class.
   */
  holdings({ smallest }: { smallest: readonly SmallestSize[] }): readonly Holding[] {
    const bytesOf = JSON.stringify(
      Object.fromEntries(smallest.map(({ storageClass, bytes }) => [storageClass, bytes])),
    );
    const sums = this.#scratch
      .prepared(
        `SELECT coalesce(class, 'STANDARD') AS name, substr(modified, 1, 7) AS month, count(*) AS objects,
           sum(size) AS size, sum(max(size, coalesce(s.value, 0))) AS billed
         FROM objects LEFT JOIN json_each(?) AS s ON s.key = coalesce(class, 'STANDARD')
         GROUP BY name, month`,
      )
      .all(bytesOf) as Row[];
    return sums.map((row) => ({
      storageClass: String(row['name']),
      month: String(row['month']),
      objects: Number(row['objects']),
      sizeBytes: Number(row['size']),
      billedBytes: Number(row['billed']),
    }));
  }

  drop(): void {
    this.#scratch.drop();
  }

  #from(sort: WalkSort, from: Cursor | null, limit: number): readonly unknown[] {
    this.#index(sort.by);
    const column = columns[sort.by];
    const direction = sort.descending ? 'DESC' : 'ASC';
    const order = `ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`;
    if (from === null) return this.#scratch.prepared(`SELECT * FROM objects ${order}`).all(limit);
    const behind = sort.descending ? '<' : '>';
    return this.#scratch
      .prepared(`SELECT * FROM objects WHERE (${column}, id) ${behind} (?, ?) ${order}`)
      .all(...from, limit);
  }

  /** Creates the index for a sort order when it is first needed. Most results are read in the order found, which needs none. */
  #index(by: WalkSort['by']): void {
    if (by === 'found' || this.#indexes.has(by)) return;
    this.#scratch.database.exec(`CREATE INDEX by_${by} ON objects (${columns[by]})`);
    this.#indexes.add(by);
  }
}

/** The calls of a table in a thread: its methods, and `open`, which creates it. */
export type TableCalls = WalkTable & { open: (input: { readonly file: string }) => void };

function entryOf(found: unknown): ObjectEntry {
  const row = found as Row;
  const modified = String(row['modified']);
  return {
    key: String(row['key']),
    sizeBytes: Number(row['size']),
    lastModified: modified === '' ? null : modified,
    etag: textOf(row['etag']),
    storageClass: textOf(row['class']),
  };
}

function textOf(value: Row[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
