import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { versioningOf, type BucketRow } from './model.ts';

/** Buckets, their tags and lifecycle rules, and named values of the service itself. The store handles transactions. */
export class Buckets {
  readonly #all: StatementSync;
  readonly #get: StatementSync;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #getMeta: StatementSync;
  readonly #setMeta: StatementSync;
  readonly #deleteMeta: StatementSync;

  constructor(db: DatabaseSync) {
    this.#all = db.prepare('SELECT * FROM buckets ORDER BY name');
    this.#get = db.prepare('SELECT * FROM buckets WHERE name = ?');
    this.#insert = db.prepare('INSERT INTO buckets (name, created_ms) VALUES (?, ?)');
    this.#delete = db.prepare('DELETE FROM buckets WHERE id = ?');
    this.#getMeta = db.prepare('SELECT value FROM meta WHERE name = ?');
    this.#setMeta = db.prepare(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
    this.#deleteMeta = db.prepare('DELETE FROM meta WHERE name = ?');
  }

  all(): BucketRow[] {
    return this.#all.all().map(toBucket);
  }

  get(name: string): BucketRow | null {
    const row = this.#get.get(name);
    return row === undefined ? null : toBucket(row);
  }

  /** Creates a bucket. Returns null if it exists. */
  create(name: string, createdMs: number): BucketRow | null {
    if (this.get(name) !== null) return null;
    const id = Number(this.#insert.run(name, createdMs).lastInsertRowid);
    return { id, name, createdMs, versioning: 'Never' };
  }

  delete(bucketId: number): void {
    this.#delete.run(bucketId);
    // The id of the bucket may be reused, so its settings must be removed.
    this.setTags(bucketId, null);
    this.setLifecycle(bucketId, null);
  }

  /** Returns the bucket's tags; null if there are none. */
  tags(bucketId: number): readonly (readonly [key: string, value: string])[] | null {
    const stored = this.meta(`tags:${bucketId}`);
    return stored === null ? null : (JSON.parse(stored.toString('utf8')) as [string, string][]);
  }

  setTags(bucketId: number, tags: readonly (readonly [key: string, value: string])[] | null): void {
    this.setMeta(`tags:${bucketId}`, tags === null ? null : Buffer.from(JSON.stringify(tags)));
  }

  /** Returns the bucket's lifecycle rules as text; null if there are none. */
  lifecycle(bucketId: number): string | null {
    return this.meta(`lifecycle:${bucketId}`)?.toString('utf8') ?? null;
  }

  setLifecycle(bucketId: number, rules: string | null): void {
    this.setMeta(`lifecycle:${bucketId}`, rules === null ? null : Buffer.from(rules));
  }

  meta(name: string): Buffer | null {
    const value = this.#getMeta.get(name)?.['value'];
    return value instanceof Uint8Array ? Buffer.from(value) : null;
  }

  /** Stores a named value; null deletes it. */
  setMeta(name: string, value: Uint8Array | null): void {
    if (value === null) this.#deleteMeta.run(name);
    else this.#setMeta.run(name, value);
  }
}

function toBucket(row: Readonly<Record<string, unknown>>): BucketRow {
  return {
    id: Number(row['id']),
    name: String(row['name']),
    createdMs: Number(row['created_ms']),
    versioning: versioningOf(row['versioning']),
  };
}
