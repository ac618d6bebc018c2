import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { keyBytes } from '../encoding.ts';
import { listManyPerKey } from './list-rows.ts';
import {
  decodeAttributes,
  encodeAttributes,
  nullVersion,
  type ListedVersion,
  type ListPage,
  type ListQuery,
  type VersionRow,
} from './model.ts';

export interface VersionQuery extends ListQuery {
  /**
   * With `after`: also lists the versions of that key that are older than this one. With null, the listing starts after the key.
   */
  readonly afterVersion: string | null;
}

/** The columns that current objects and older versions have in common, in the order of `valuesOf`. */
export const versionColumns = 'version, seq, size, etag, modified_ms, storage_class, content, head';
const columns = `is_marker, ${versionColumns}`;

/** Returns a query for current objects, older versions and delete markers, newest of each key first. */
const everyVersion = (where: string): string => `
  SELECT CAST(key AS TEXT) AS name, key, ${columns}, is_latest FROM (
    SELECT key, 0 AS is_marker, ${versionColumns}, 1 AS is_latest
    FROM objects WHERE bucket = :bucket AND ${where}
    UNION ALL
    SELECT key, ${columns},
      NOT EXISTS (SELECT 1 FROM objects o WHERE o.bucket = v.bucket AND o.key = v.key)
      AND NOT EXISTS (SELECT 1 FROM versions n WHERE n.bucket = v.bucket AND n.key = v.key AND n.seq > v.seq)
    FROM versions v WHERE bucket = :bucket AND ${where}
  ) ORDER BY key, seq DESC LIMIT :limit`;

/** The rows of older versions and delete markers. The current object of a key is in another table. */
export class VersionRows {
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #any: StatementSync;
  readonly #newest: StatementSync;
  readonly #named: StatementSync;
  readonly #null: StatementSync;
  readonly #setHead: StatementSync;
  readonly #nextSeq: StatementSync;
  readonly #range: StatementSync;
  readonly #rest: StatementSync;

  constructor(db: DatabaseSync) {
    const find = (where: string): StatementSync =>
      db.prepare(`SELECT ${columns} FROM versions WHERE bucket = ? AND key = ? ${where} LIMIT 1`);
    this.#insert = db.prepare(
      `INSERT INTO versions (is_marker, bucket, key, ${versionColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#delete = db.prepare('DELETE FROM versions WHERE bucket = ? AND key = ? AND seq = ?');
    this.#any = db.prepare('SELECT 1 FROM versions WHERE bucket = ? LIMIT 1');
    this.#newest = find('ORDER BY seq DESC');
    this.#named = find('AND version = ?');
    this.#null = find('AND version IS NULL');
    this.#setHead = db.prepare('UPDATE versions SET head = ? WHERE bucket = ? AND key = ? AND seq = ?');
    this.#nextSeq = db.prepare('UPDATE version_counter SET value = value + 1 RETURNING value');
    this.#range = db.prepare(everyVersion('key >= :from AND key < :to'));
    this.#rest = db.prepare(everyVersion('key = :key AND seq < :seq'));
  }

  /** Returns a number greater than every existing `seq`. */
  nextSeq(): number {
    return Number(this.#nextSeq.get()?.['value']);
  }

  hasAny(bucketId: number): boolean {
    return this.#any.get(bucketId) !== undefined;
  }

  newest(bucketId: number, key: string): VersionRow | null {
    return rowOf(key, this.#newest.get(bucketId, keyBytes(key)));
  }

  find(bucketId: number, key: string, version: string): VersionRow | null {
    const bytes = keyBytes(key);
    const row =
      version === nullVersion ? this.#null.get(bucketId, bytes) : this.#named.get(bucketId, bytes, version);
    return rowOf(key, row);
  }

  insert(bucketId: number, row: VersionRow): void {
    this.#insert.run(row.isMarker ? 1 : 0, ...valuesOf(bucketId, row));
  }

  delete(bucketId: number, row: VersionRow): void {
    this.#delete.run(bucketId, keyBytes(row.key), row.seq);
  }

  setAttributes(bucketId: number, row: VersionRow, head: string | null): void {
    this.#setHead.run(head, bucketId, keyBytes(row.key), row.seq);
  }

  /** Lists current objects, older versions and delete markers, ordered by (key, newest first). */
  list(bucketId: number, query: VersionQuery): ListPage<ListedVersion> {
    const rest = (key: string, seq: number, limit: number): ListedVersion[] =>
      this.#rest.all({ bucket: bucketId, key: keyBytes(key), seq, limit }).map(toListed);
    return listManyPerKey<ListedVersion>(query, {
      keyOf: (row) => row.key,
      restAfterMarker: (key, limit) => {
        const seq = this.#seqOf(bucketId, key, query.afterVersion);
        return seq === null ? [] : rest(key, seq, limit);
      },
      rest: (row, limit) => rest(row.key, row.seq, limit),
      range: (from, to, limit) => this.#range.all({ bucket: bucketId, from, to, limit }).map(toListed),
    });
  }

  /**
   * Returns the sequence number of a version, even of a deleted one; null without a version, which means that the listing
   * continues after the key.
   */
  #seqOf(bucketId: number, key: string, version: string | null): number | null {
    if (version === null) return null;
    if (version !== nullVersion) return seqOfVersion(version);
    const all = this.#rest.all({
      bucket: bucketId,
      key: keyBytes(key),
      seq: Number.MAX_SAFE_INTEGER,
      limit: -1,
    });
    // If the null version was deleted since the previous page, the key is listed again from its newest version.
    return Number(all.find((row) => row['version'] === null)?.['seq'] ?? Number.MAX_SAFE_INTEGER);
  }
}

const seqDigits = 11;
const randomDigits = 21;

/**
 * Returns a version id that contains the sequence number, so that a listing can continue after a deleted version. `random` is in
 * hex.
 */
export function versionIdOf(seq: number, random: string): string {
  return seq.toString(36).padStart(seqDigits, '0') + random.slice(0, randomDigits);
}

/** Returns true if the text has the form of a version id of this service. */
export function isVersionId(text: string): boolean {
  return text === nullVersion || /^[0-9a-z]{11}[0-9a-f]{21}$/.test(text);
}

function seqOfVersion(version: string): number {
  return Number.parseInt(version.slice(0, seqDigits), 36);
}

type Row = Readonly<Record<string, unknown>>;

function rowOf(key: string, row: Row | undefined): VersionRow | null {
  return row === undefined ? null : toVersion(key, row);
}

/** Returns the values of the bucket, the key and `versionColumns`. */
export function valuesOf(bucketId: number, row: VersionRow) {
  return [
    bucketId,
    keyBytes(row.key),
    row.version === nullVersion ? null : row.version,
    row.seq,
    row.sizeBytes,
    row.etag,
    row.modifiedMs,
    row.storageClass,
    row.content,
    encodeAttributes(row.attributes),
  ] as const;
}

export function toVersion(key: string, row: Row): VersionRow {
  return {
    key,
    version: typeof row['version'] === 'string' ? row['version'] : nullVersion,
    seq: Number(row['seq']),
    isMarker: row['is_marker'] === 1,
    sizeBytes: Number(row['size']),
    etag: String(row['etag']),
    modifiedMs: Number(row['modified_ms']),
    storageClass: String(row['storage_class']),
    content: Number(row['content']),
    attributes: decodeAttributes(row['head']),
  };
}

function toListed(row: Row): ListedVersion {
  return { ...toVersion(String(row['name']), row), isLatest: row['is_latest'] === 1 };
}
