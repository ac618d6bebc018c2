import { randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { keyBytes } from '../encoding.ts';
import type { Contents } from './contents.ts';
import { listPage } from './list-rows.ts';
import {
  encodeAttributes,
  noAttributes,
  nullVersion,
  versioningOf,
  type Attributes,
  type ListedObject,
  type ListPage,
  type ListQuery,
  type NewObject,
  type ObjectRow,
  type VersionRow,
  type Versioning,
} from './model.ts';
import { toVersion, valuesOf, versionColumns, versionIdOf, VersionRows } from './version-rows.ts';

/** The result of a deletion. `version` is null if the bucket has no versions. */
export interface Removed {
  readonly version: string | null;
  /** True if the deletion created or removed a delete marker. */
  readonly isMarker: boolean;
}

/** The result of a change to the index, and the files to remove once the change is on disk. */
export interface Change<T> {
  readonly made: T;
  readonly files: readonly string[];
}

type Allow = (existing: ObjectRow | null) => void;

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

/**
 * The objects of buckets. `objects` contains only the current object of each key, so that listings read nothing else; `versions`
 * contains older versions and delete markers. The highest `seq` of a key is the latest. The store handles transactions.
 */
export class Objects {
  readonly rows: VersionRows;
  readonly #contents: Contents;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #setHead: StatementSync;
  readonly #delete: StatementSync;
  readonly #versioning: StatementSync;
  readonly #setVersioning: StatementSync;
  readonly #any: StatementSync;
  readonly #range: StatementSync;
  readonly #skip: StatementSync;

  constructor(db: DatabaseSync, contents: Contents) {
    this.#contents = contents;
    this.rows = new VersionRows(db);
    this.#get = db.prepare(`SELECT ${versionColumns} FROM objects WHERE bucket = ? AND key = ?`);
    const replaced = versionColumns.split(', ').map((name) => `${name} = excluded.${name}`);
    this.#put = db.prepare(
      `INSERT INTO objects (bucket, key, ${versionColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ` +
        `ON CONFLICT (bucket, key) DO UPDATE SET ${replaced.join(', ')}`,
    );
    this.#setHead = db.prepare('UPDATE objects SET head = ? WHERE bucket = ? AND key = ?');
    this.#delete = db.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');
    this.#versioning = db.prepare('SELECT versioning FROM buckets WHERE id = ?');
    this.#setVersioning = db.prepare('UPDATE buckets SET versioning = ? WHERE id = ?');
    this.#any = db.prepare('SELECT 1 FROM objects WHERE bucket = ? LIMIT 1');
    this.#range = db.prepare(
      `SELECT ${listedColumns} FROM objects o WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?`,
    );
    this.#range.setReturnArrays(true);
    this.#skip = db.prepare(skipScan);
    this.#skip.setReturnArrays(true);
  }

  /** Returns true if the bucket contains objects, versions or delete markers. */
  hasAny(bucketId: number): boolean {
    return this.#any.get(bucketId) !== undefined || this.rows.hasAny(bucketId);
  }

  list(bucketId: number, query: ListQuery): ListPage<ListedObject> {
    return listPage<ListedObject>(
      query,
      (row) => row.key,
      (from, to, limit) => listedRows(this.#range.all(bucketId, from, to, limit)),
      (from, to, limit) => {
        const delimiter = keyBytes(query.delimiter);
        const values = {
          bucket: bucketId,
          from,
          to,
          limit,
          delimiter,
          delimiter_size: delimiter.byteLength,
          above: Buffer.of((delimiter.at(-1) ?? 0) + 1),
          tail: keyBytes(query.prefix).byteLength + 1,
        };
        return listedRows(this.#skip.all(values));
      },
    );
  }

  versioning(bucketId: number): Versioning {
    return versioningOf(this.#versioning.get(bucketId)?.['versioning']);
  }

  setVersioning(bucketId: number, state: Exclude<Versioning, 'Never'>): void {
    this.#setVersioning.run(state, bucketId);
  }

  /** Returns the current object; null if there is none or the latest version is a delete marker. */
  current(bucketId: number, key: string): VersionRow | null {
    const row = this.#get.get(bucketId, keyBytes(key));
    return row === undefined ? null : toVersion(key, row);
  }

  /** Returns the latest version of a key, which may be a delete marker. */
  latest(bucketId: number, key: string): VersionRow | null {
    return this.current(bucketId, key) ?? this.rows.newest(bucketId, key);
  }

  /**
   * Returns the object to delete, either the current one or the given version. Null if it does not exist or is a delete marker.
   */
  object(bucketId: number, key: string, version: string | null): ObjectRow | null {
    const row = version === null ? this.current(bucketId, key) : this.version(bucketId, key, version);
    return row === null || row.isMarker ? null : row;
  }

  version(bucketId: number, key: string, version: string): VersionRow | null {
    const current = this.current(bucketId, key);
    return current?.version === version ? current : this.rows.find(bucketId, key, version);
  }

  /** Stores a new latest object. Returns its version; null if the bucket has no versions. */
  put(bucketId: number, key: string, object: NewObject, allow?: Allow): Change<string | null> {
    const state = this.versioning(bucketId);
    const current = this.current(bucketId, key);
    allow?.(current);
    const content = this.#contents.add(object.content);
    const files = this.#stepAside(bucketId, key, current, state);
    const place = this.#newPlace(state);
    this.#put.run(...valuesOf(bucketId, { ...object, ...place, key, content, isMarker: false }));
    return { made: state === 'Never' ? null : place.version, files };
  }

  /**
   * Deletes a key or one version. Deleting a key in a versioned bucket adds a delete marker; a version is deleted permanently
   * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/DeletingObjectVersions.html).
   */
  remove(
    bucketId: number,
    key: string,
    version: string | null,
    nowMs: number,
    allow?: Allow,
  ): Change<Removed> {
    const state = this.versioning(bucketId);
    allow?.(this.object(bucketId, key, version));
    const current = this.current(bucketId, key);
    if (version === null && state !== 'Never') return this.#mark(bucketId, key, current, state, nowMs);
    const toDelete = version === null ? current : this.version(bucketId, key, version);
    const made = { version: state === 'Never' ? null : version, isMarker: toDelete?.isMarker ?? false };
    if (toDelete === null) return { made, files: [] };
    if (current?.seq === toDelete.seq) this.#delete.run(bucketId, keyBytes(key));
    else this.rows.delete(bucketId, toDelete);
    this.#promote(bucketId, key);
    return { made, files: this.#contents.drop(toDelete.content) };
  }

  /** Changes an object's attributes, but not its content and time. Does nothing if the object does not exist. */
  changeAttributes(
    bucketId: number,
    key: string,
    version: string | null,
    change: (before: Attributes) => Attributes,
  ): void {
    const current = this.current(bucketId, key);
    const row = version === null ? current : this.version(bucketId, key, version);
    if (row === null || row.isMarker) return;
    const head = encodeAttributes(change(row.attributes));
    if (row.seq === current?.seq) this.#setHead.run(head, bucketId, keyBytes(key));
    else this.rows.setAttributes(bucketId, row, head);
  }

  #mark(
    bucketId: number,
    key: string,
    current: VersionRow | null,
    state: Versioning,
    nowMs: number,
  ): Change<Removed> {
    const files = this.#stepAside(bucketId, key, current, state);
    if (current !== null) this.#delete.run(bucketId, keyBytes(key));
    const place = this.#newPlace(state);
    const facts = { sizeBytes: 0, etag: '', modifiedMs: nowMs, storageClass: 'STANDARD', content: 0 };
    this.rows.insert(bucketId, { ...facts, ...place, key, isMarker: true, attributes: noAttributes });
    return { made: { version: place.version, isMarker: true }, files };
  }

  /**
   * Moves the current object to the older versions before a new one is stored. Deletes it, or an older null version, if the new
   * one replaces it. Returns the files to remove.
   */
  #stepAside(
    bucketId: number,
    key: string,
    current: VersionRow | null,
    state: Versioning,
  ): readonly string[] {
    const keepsCurrent = state === 'Enabled' || (state === 'Suspended' && current?.version !== nullVersion);
    if (current !== null && keepsCurrent) this.rows.insert(bucketId, current);
    const files = current === null || keepsCurrent ? [] : this.#contents.drop(current.content);
    const older = state === 'Suspended' ? this.rows.find(bucketId, key, nullVersion) : null;
    if (older === null) return files;
    this.rows.delete(bucketId, older);
    return [...files, ...this.#contents.drop(older.content)];
  }

  #newPlace(state: Versioning): { readonly seq: number; readonly version: string } {
    // With 0, objects stored before versioning sort below all later versions.
    if (state === 'Never') return { seq: 0, version: nullVersion };
    const seq = this.rows.nextSeq();
    const version = state === 'Enabled' ? versionIdOf(seq, randomBytes(11).toString('hex')) : nullVersion;
    return { seq, version };
  }

  /** Makes the newest version the current one, unless it is a delete marker. */
  #promote(bucketId: number, key: string): void {
    if (this.current(bucketId, key) !== null) return;
    const newest = this.rows.newest(bucketId, key);
    if (newest === null || newest.isMarker) return;
    this.rows.delete(bucketId, newest);
    this.#put.run(...valuesOf(bucketId, newest));
  }
}

type ListedTuple = readonly [string, number, string, number, string];

/** Converts rows that node:sqlite returns as arrays, for which it has no types. */
function listedRows(rows: unknown): ListedObject[] {
  return (rows as readonly ListedTuple[]).map(([key, sizeBytes, etag, modifiedMs, storageClass]) => {
    return { key, sizeBytes, etag, modifiedMs, storageClass };
  });
}
