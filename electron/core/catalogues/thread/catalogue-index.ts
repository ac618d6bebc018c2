import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { failure } from '../../../../shared/errors.ts';
import type { BucketTotals, GrowthPoint, StoredCatalogue } from '../../../../shared/models/map.ts';
import { makePrivateFile, makePrivateFolder } from '../../store/private-file.ts';
import { isDamage } from '../../store/sqlite-errors.ts';
import { inTransaction } from '../../store/transaction.ts';
import { CatalogueReader } from './catalogue-reader.ts';

/** An entry of the index of catalogues. */
export type IndexedCatalogue = WithOrigin<StoredCatalogue> & {
  readonly connectionId: string;
  readonly bucket: string;
};

/** Adds the origin from which data was read, as text (s3/model/bucket-origin.ts). It is '' in indexes of earlier versions. */
export type WithOrigin<T> = T & { readonly origin: string };

const schema = `
  CREATE TABLE IF NOT EXISTS catalogues (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL,
    bucket TEXT NOT NULL,
    prefix TEXT NOT NULL,
    taken_at TEXT NOT NULL,
    objects INTEGER NOT NULL,
    size INTEGER NOT NULL,
    file_bytes INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    source TEXT NOT NULL DEFAULT 'walk',
    origin TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE TABLE IF NOT EXISTS growth (
    connection_id TEXT NOT NULL,
    bucket TEXT NOT NULL,
    prefix TEXT NOT NULL,
    taken_at TEXT NOT NULL,
    objects INTEGER NOT NULL,
    size INTEGER NOT NULL,
    origin TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (connection_id, bucket, prefix, taken_at)
  ) STRICT, WITHOUT ROWID;
`;

/** The maximum number of catalogues per place: the newest one, and older ones to compare it with. */
const maxPerPlace = 3;
const maxGrowthPoints = 1000;
const fileExtension = '.catalogue';

/**
 * The list of catalogues, in a database. At start, files without an entry are deleted, as are entries without a file. So after
 * any interruption, a catalogue is either complete or absent.
 */
export class CatalogueIndex {
  readonly #dir: string;
  readonly #database: DatabaseSync;

  constructor(dir: string) {
    this.#dir = dir;
    makePrivateFolder(dir);
    const file = path.join(dir, 'index.db');
    makePrivateFile(file);
    this.#database = openIndex(file);
    this.#sweep();
  }

  fileOf(id: string): string {
    return path.join(this.#dir, `${id}${fileExtension}`);
  }

  /**
   * Opens a catalogue. Throws `AppError('not-found')` if it does not exist, or was deleted because it is damaged or has an unknown
   * version: its keys can be listed again.
   */
  open(catalogueId: string): CatalogueReader {
    try {
      return new CatalogueReader(this.fileOf(catalogueId));
    } catch (thrown) {
      throw this.handleReadFailure(catalogueId, thrown);
    }
  }

  /** Opens a catalogue for the duration of `read`. Throws as `open` does, also if reading shows that it is damaged. */
  async withReader<T>(catalogueId: string, read: (reader: CatalogueReader) => T | Promise<T>): Promise<T> {
    const reader = this.open(catalogueId);
    try {
      return await read(reader);
    } catch (thrown) {
      // Windows removes no open file.
      reader.close();
      throw this.handleReadFailure(catalogueId, thrown);
    } finally {
      reader.close();
    }
  }

  /** Returns the error to throw if reading a catalogue failed. Deletes the catalogue if it is damaged. */
  handleReadFailure(catalogueId: string, thrown: unknown): unknown {
    const isBroken = thrown instanceof RangeError || thrown instanceof SyntaxError || isDamage(thrown);
    const isGone = !this.all().some((catalogue) => catalogue.catalogueId === catalogueId);
    if (!isBroken && !isGone) return thrown;
    this.remove(catalogueId);
    return failure('not-found', 'This catalogue no longer exists. Read the bucket again.', {
      reason: 'catalogue-gone',
      retry: 'after-fix',
      cause: thrown,
    });
  }

  /** Returns all catalogues, newest first. */
  all(): readonly IndexedCatalogue[] {
    return this.#database
      .prepare('SELECT * FROM catalogues ORDER BY taken_at DESC, id')
      .all()
      .map((row) => ({
        catalogueId: String(row['id']),
        connectionId: String(row['connection_id']),
        bucket: String(row['bucket']),
        prefix: String(row['prefix']),
        takenAt: String(row['taken_at']),
        objects: Number(row['objects']),
        sizeBytes: Number(row['size']),
        fileBytes: Number(row['file_bytes']),
        requests: Number(row['requests']),
        source: row['source'] === 'inventory' ? 'inventory' : 'walk',
        origin: String(row['origin']),
      }));
  }

  /** Adds a catalogue. Returns the ids of catalogues that were removed to stay within the limit. */
  add(catalogue: IndexedCatalogue, limitBytes: number): readonly string[] {
    const { catalogueId, connectionId, bucket, prefix, takenAt, objects, sizeBytes } = catalogue;
    inTransaction(this.#database, () => {
      this.#database
        .prepare(
          'INSERT INTO catalogues (id, connection_id, bucket, prefix, taken_at, objects, size, file_bytes, requests, source, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        )
        .run(
          catalogueId,
          connectionId,
          bucket,
          prefix,
          takenAt,
          objects,
          sizeBytes,
          catalogue.fileBytes,
          catalogue.requests,
          catalogue.source,
          catalogue.origin,
        );
      this.#database
        .prepare(
          'INSERT OR REPLACE INTO growth (connection_id, bucket, prefix, taken_at, objects, size, origin) VALUES (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(connectionId, bucket, prefix, takenAt, objects, sizeBytes, catalogue.origin);
      this.#database
        .prepare(
          `DELETE FROM growth WHERE connection_id = ?1 AND bucket = ?2 AND prefix = ?3 AND taken_at NOT IN (
             SELECT taken_at FROM growth WHERE connection_id = ?1 AND bucket = ?2 AND prefix = ?3
             ORDER BY taken_at DESC LIMIT ${String(maxGrowthPoints)})`,
        )
        .run(connectionId, bucket, prefix);
    });
    return this.trim(limitBytes);
  }

  /** Removes catalogues until the rest fit the limit; 0 removes all. Returns the removed ids. */
  trim(limitBytes: number): readonly string[] {
    const all = this.all();
    const removedIds =
      limitBytes === 0 ? all.map(({ catalogueId }) => catalogueId) : surplusOf(all, limitBytes);
    for (const id of removedIds) this.remove(id);
    return removedIds;
  }

  growth(connectionId: string, bucket: string): readonly WithOrigin<GrowthPoint>[] {
    return this.#database
      .prepare('SELECT * FROM growth WHERE connection_id = ? AND bucket = ? ORDER BY taken_at')
      .all(connectionId, bucket)
      .map((row) => ({
        prefix: String(row['prefix']),
        takenAt: String(row['taken_at']),
        objects: Number(row['objects']),
        sizeBytes: Number(row['size']),
        origin: String(row['origin']),
      }));
  }

  /** Returns the newest totals of each bucket for each origin, from catalogues of whole buckets. */
  totals(connectionId: string): readonly WithOrigin<BucketTotals>[] {
    return this.#database
      .prepare(
        `SELECT bucket, MAX(taken_at) AS taken_at, objects, size, origin FROM growth
         WHERE connection_id = ? AND prefix = '' GROUP BY bucket, origin ORDER BY bucket, taken_at DESC`,
      )
      .all(connectionId)
      .map((row) => ({
        bucket: String(row['bucket']),
        takenAt: String(row['taken_at']),
        objects: Number(row['objects']),
        sizeBytes: Number(row['size']),
        origin: String(row['origin']),
      }));
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM catalogues WHERE id = ?').run(id);
    try {
      rmSync(this.fileOf(id), { force: true });
    } catch {
      // Windows removes no open file. Without an entry, the next start removes it.
    }
  }

  /**
   * Removes the catalogues and the size history of a bucket, or of all buckets if `bucket` is null. Returns the ids of the
   * catalogues.
   */
  forget(connectionId: string, bucket: string | null): readonly string[] {
    const gone = this.all()
      .filter(
        (catalogue) =>
          catalogue.connectionId === connectionId && (bucket === null || catalogue.bucket === bucket),
      )
      .map(({ catalogueId }) => catalogueId);
    for (const id of gone) this.remove(id);
    this.#database
      .prepare('DELETE FROM growth WHERE connection_id = ?1 AND (?2 IS NULL OR bucket = ?2)')
      .run(connectionId, bucket);
    return gone;
  }

  #sweep(): void {
    const known = new Set(this.all().map(({ catalogueId }) => `${catalogueId}${fileExtension}`));
    for (const name of readdirSync(this.#dir)) {
      if (name.includes(fileExtension) && !known.has(name))
        rmSync(path.join(this.#dir, name), { force: true });
    }
    for (const { catalogueId } of this.all())
      if (!existsSync(this.fileOf(catalogueId))) this.remove(catalogueId);
  }
}

/**
 * Returns the ids of the catalogues to remove: first those above the limit per place, then the oldest until the disk limit is
 * met. Never returns the newest.
 */
export function surplusOf(all: readonly IndexedCatalogue[], limitBytes: number): readonly string[] {
  const gone: string[] = [];
  const counts = new Map<string, number>();
  const staying = all.filter(({ catalogueId, connectionId, bucket, prefix, origin }) => {
    const place = JSON.stringify([connectionId, bucket, prefix, origin]);
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (count > maxPerPlace) gone.push(catalogueId);
    return count <= maxPerPlace;
  });
  let bytes = staying.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  // Removes older catalogues of places that have a newer one first, then whole places. The newest catalogue was just written, so
  // it stays.
  const isOlder = (catalogue: IndexedCatalogue): boolean =>
    staying.some((other) => other.takenAt > catalogue.takenAt && isSamePlace(catalogue, other));
  const order = [
    ...staying.filter(isOlder).toReversed(),
    ...staying.filter((catalogue) => !isOlder(catalogue)).toReversed(),
  ];
  for (const catalogue of order.slice(0, -1)) {
    if (bytes <= limitBytes) break;
    gone.push(catalogue.catalogueId);
    bytes -= catalogue.fileBytes;
  }
  return gone;
}

function isSamePlace(catalogue: IndexedCatalogue, other: IndexedCatalogue): boolean {
  return (
    catalogue.connectionId === other.connectionId &&
    catalogue.bucket === other.bucket &&
    catalogue.prefix === other.prefix &&
    catalogue.origin === other.origin
  );
}

/**
 * Opens the index. Deletes and recreates it if it is damaged, because buckets can be listed again. Throws other errors of the
 * disk, such as a lock by another program: without its index, all catalogues would be deleted.
 */
function openIndex(file: string): DatabaseSync {
  for (let tries = 0; ; tries += 1) {
    const database = new DatabaseSync(file);
    try {
      database.exec(`PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; ${schema}`);
      addColumn(database, 'catalogues', 'source', 'walk');
      addColumn(database, 'catalogues', 'origin', '');
      addColumn(database, 'growth', 'origin', '');
      return database;
    } catch (thrown) {
      database.close();
      if (tries > 0 || !isDamage(thrown)) throw thrown;
      rmSync(file, { force: true });
      makePrivateFile(file);
    }
  }
}

/** Adds a column with a default value to an index written by an earlier version. */
function addColumn(database: DatabaseSync, table: string, column: string, defaultValue: string): void {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  if (columns.some(({ name }) => name === column)) return;
  database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} TEXT NOT NULL DEFAULT '${defaultValue}'`);
}
