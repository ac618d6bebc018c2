import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseChecksumAlgorithm, type Checksums } from '../checksum-algorithms.ts';
import { keyBytes } from '../encoding.ts';
import { listManyPerKey } from './list-rows.ts';
import {
  decodeAttributes,
  encodeAttributes,
  type ContentId,
  type ListPage,
  type ListQuery,
  type NewPart,
  type PartRow,
  type UploadRow,
} from './model.ts';

export interface UploadQuery extends ListQuery {
  /** With `after`: also lists the uploads of that key whose id sorts after this one. */
  readonly afterId: string | null;
}

/** The rows of uploads and parts. The store handles transactions. */
export class Uploads {
  readonly #insert: StatementSync;
  readonly #get: StatementSync;
  readonly #delete: StatementSync;
  readonly #ids: StatementSync;
  readonly #range: StatementSync;
  readonly #sameKey: StatementSync;
  readonly #part: StatementSync;
  readonly #parts: StatementSync;
  readonly #insertPart: StatementSync;
  readonly #deleteParts: StatementSync;

  constructor(db: DatabaseSync) {
    const columns =
      'id, bucket, CAST(key AS TEXT) AS name, initiated_ms, storage_class, head, checksum_algorithm, checksum_type';
    this.#insert = db.prepare('INSERT INTO uploads VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#get = db.prepare(`SELECT ${columns} FROM uploads WHERE id = ?`);
    this.#delete = db.prepare('DELETE FROM uploads WHERE id = ?');
    this.#ids = db.prepare('SELECT id FROM uploads WHERE bucket = ?');
    this.#range = db.prepare(
      `SELECT ${columns} FROM uploads WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key, id LIMIT ?`,
    );
    this.#sameKey = db.prepare(
      `SELECT ${columns} FROM uploads WHERE bucket = ? AND key = ? AND id > ? ORDER BY id LIMIT ?`,
    );
    this.#part = db.prepare('SELECT * FROM parts WHERE upload = ? AND number = ?');
    this.#parts = db.prepare('SELECT * FROM parts WHERE upload = ? AND number > ? ORDER BY number LIMIT ?');
    this.#insertPart = db.prepare(
      'INSERT INTO parts (upload, number, size, etag, modified_ms, content, checksums) VALUES (?, ?, ?, ?, ?, ?, ?) ' +
        'ON CONFLICT (upload, number) DO UPDATE SET size = excluded.size, etag = excluded.etag, ' +
        'modified_ms = excluded.modified_ms, content = excluded.content, checksums = excluded.checksums',
    );
    this.#deleteParts = db.prepare('DELETE FROM parts WHERE upload = ?');
  }

  insert(row: UploadRow): void {
    this.#insert.run(
      row.id,
      row.bucketId,
      keyBytes(row.key),
      row.initiatedMs,
      row.storageClass,
      encodeAttributes(row.attributes),
      row.checksumAlgorithm,
      row.checksumType,
    );
  }

  get(id: string): UploadRow | null {
    const row = this.#get.get(id);
    return row === undefined ? null : toUpload(row);
  }

  delete(id: string): void {
    this.#deleteParts.run(id);
    this.#delete.run(id);
  }

  idsOf(bucketId: number): string[] {
    return this.#ids.all(bucketId).map((row) => String(row['id']));
  }

  part(id: string, number: number): PartRow | null {
    const row = this.#part.get(id, number);
    return row === undefined ? null : toPart(row);
  }

  parts(id: string, after: number, limit: number): PartRow[] {
    return this.#parts.all(id, after, limit).map(toPart);
  }

  putPart(id: string, number: number, part: NewPart, content: ContentId): void {
    const checksums = Object.keys(part.checksums).length === 0 ? null : JSON.stringify(part.checksums);
    this.#insertPart.run(id, number, part.sizeBytes, part.etag, part.modifiedMs, content, checksums);
  }

  /** Lists uploads ordered by (key, id); uploads of one key are adjacent. */
  list(bucketId: number, query: UploadQuery): ListPage<UploadRow> {
    const { afterId } = query;
    const rest = (key: string, id: string, limit: number): UploadRow[] =>
      this.#sameKey.all(bucketId, keyBytes(key), id, limit).map(toUpload);
    return listManyPerKey<UploadRow>(query, {
      keyOf: (row) => row.key,
      restAfterMarker: (key, limit) => (afterId === null || afterId === '' ? [] : rest(key, afterId, limit)),
      rest: (row, limit) => rest(row.key, row.id, limit),
      range: (from, to, limit) => this.#range.all(bucketId, from, to, limit).map(toUpload),
    });
  }
}

type Row = Readonly<Record<string, unknown>>;

function toUpload(row: Row): UploadRow {
  const algorithm = row['checksum_algorithm'];
  const type = row['checksum_type'];
  return {
    id: String(row['id']),
    bucketId: Number(row['bucket']),
    key: String(row['name']),
    initiatedMs: Number(row['initiated_ms']),
    storageClass: String(row['storage_class']),
    attributes: decodeAttributes(row['head']),
    checksumAlgorithm: typeof algorithm === 'string' ? parseChecksumAlgorithm(algorithm) : null,
    checksumType: type === 'COMPOSITE' || type === 'FULL_OBJECT' ? type : null,
  };
}

function toPart(row: Row): PartRow {
  const checksums = row['checksums'];
  return {
    number: Number(row['number']),
    sizeBytes: Number(row['size']),
    etag: String(row['etag']),
    modifiedMs: Number(row['modified_ms']),
    content: Number(row['content']),
    checksums: typeof checksums === 'string' ? (JSON.parse(checksums) as Checksums) : {},
  };
}
