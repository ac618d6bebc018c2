import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makePrivateFile, makePrivateFolder } from '../../store/private-file.ts';
import { Block, encodeBlock } from '../../walks/map/block.ts';
import { FolderSums } from '../../walks/map/folder-sums.ts';
import { ownersOf, readKeyPage, KeyPageWriter, type OwnerRuns } from '../../walks/map/key-page.ts';
import type { KeyRow } from '../../walks/map/key-row.ts';
import { storeSums } from './sums-table.ts';
import { blocksPerGroup, GramGroup, sliceCount } from './grams.ts';
import { isoOf } from './map-sums.ts';
import { Tops } from './tops.ts';

/** The version that is written. Only this version and `versionBefore` can be read; for others, the bucket is listed again. */
export const catalogueVersion = 3;
export const versionBefore = 2;

const schema = `
  PRAGMA journal_mode = MEMORY;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -4000;
  PRAGMA user_version = ${String(catalogueVersion)};
  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    first_key TEXT NOT NULL,
    last_key TEXT NOT NULL,
    objects INTEGER NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE TABLE grams (
    slice INTEGER NOT NULL,
    block_group INTEGER NOT NULL,
    bits BLOB NOT NULL,
    PRIMARY KEY (slice, block_group)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sums (name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The owners of each block's objects. Needed only if the rows must be sorted at the end; deleted afterwards. */
const ownersTable = `CREATE TABLE owners (block INTEGER PRIMARY KEY, runs TEXT NOT NULL) STRICT`;

/** The folder sums and the largest and oldest objects of a catalogue. */
export interface Sums {
  readonly folderSums: FolderSums;
  readonly tops: Tops;
}

const blocksPerTransaction = 64;
/** Catalogues with at most this many blocks store no grams, because reading all blocks is faster. */
const blocksWithoutGrams = 32;
const rowsPerBlock = 1000;

/**
 * Writes a catalogue into a temporary file, which replaces the previous catalogue once it is completely on disk. The next start
 * deletes an incomplete file.
 */
export class CatalogueWriter {
  readonly #file: string;
  readonly #limitBytes: number;
  #database: DatabaseSync;
  #insert: StatementSync;
  #insertOwners: StatementSync;
  #group: GramGroup | null = null;
  #blocks = 0;
  #sizeBytes = 0;
  #isOrdered = true;
  #open = 0;

  constructor(file: string, limitBytes: number) {
    this.#file = file;
    this.#limitBytes = limitBytes;
    makePrivateFolder(path.dirname(file));
    this.#database = this.#begin();
    this.#insert = this.#prepared();
    this.#insertOwners = this.#preparedOwners();
  }

  /** True if the catalogue exceeds its size limit. */
  get isTooLarge(): boolean {
    return this.#sizeBytes > this.#limitBytes;
  }

  /** Adds a block. Also stores `owners`, in case the rows must be sorted at the end. */
  add(block: Block, data: Uint8Array, owners: OwnerRuns | null): void {
    if (block.count === 0) return;
    const keys = block.keys();
    if (this.#open === 0) this.#database.exec('BEGIN');
    let sizeBytes = 0;
    for (const size of block.sizes) sizeBytes += size;
    const { lastInsertRowid } = this.#insert.run(
      keys[0] ?? '',
      keys.at(-1) ?? '',
      block.count,
      sizeBytes,
      data,
    );
    if (owners !== null) this.#insertOwners.run(lastInsertRowid, JSON.stringify(owners));
    this.#group ??= new GramGroup();
    this.#group.add(keys, this.#blocks % blocksPerGroup);
    this.#blocks += 1;
    this.#sizeBytes += data.byteLength;
    if (this.#blocks % blocksPerGroup === 0) this.#storeGroup();
    this.#open += 1;
    if (this.#open >= blocksPerTransaction) this.#commit();
  }

  /** Discards all earlier blocks. The blocks that follow are not sorted by key. */
  restart(): void {
    this.#database.close();
    this.#database = this.#begin();
    this.#insert = this.#prepared();
    this.#insertOwners = this.#preparedOwners();
    this.#isOrdered = false;
  }

  /** Keeps all earlier blocks. The rows must be sorted at the end. */
  disorder(): void {
    this.#isOrdered = false;
  }

  /** Moves the file to its final path. Returns its size and the sums, which are recomputed if keys were listed several times. */
  finish(counted: Sums): Sums & { readonly fileBytes: number } {
    this.#commit();
    const sums = this.#isOrdered ? counted : this.#sort(counted, true);
    this.#database.exec('DROP TABLE owners');
    if (this.#group !== null && this.#blocks > blocksWithoutGrams) this.#storeGroup();
    this.#group = null;
    this.#database.exec('BEGIN');
    storeSums(this.#database, sums.folderSums, sums.tops);
    this.#database.exec('COMMIT');
    this.#database.exec('CREATE INDEX by_key ON blocks (first_key, last_key, objects, size)');
    const { size } = this.#database
      .prepare('SELECT page_count * page_size AS size FROM pragma_page_count(), pragma_page_size()')
      .get() as { size: number };
    this.#database.close();
    sync(this.#temporary);
    renameSync(this.#temporary, this.#file);
    if (process.platform !== 'win32') sync(path.dirname(this.#file));
    return { ...sums, fileBytes: size };
  }

  /** Returns sums in which each key counts once. Deletes the file, which is not needed for anything else. */
  countOnce(counted: Sums): Sums {
    this.#commit();
    const sums = this.#isOrdered ? counted : this.#sort(counted, false);
    this.abandon();
    return sums;
  }

  /** Closes and deletes the temporary file. */
  abandon(): void {
    if (this.#database.isOpen) this.#database.close();
    rmSync(this.#temporary, { force: true });
  }

  get #temporary(): string {
    return `${this.#file}.part`;
  }

  #begin(): DatabaseSync {
    rmSync(this.#temporary, { force: true });
    makePrivateFile(this.#temporary);
    const database = new DatabaseSync(this.#temporary);
    database.exec(`${schema}${ownersTable}`);
    this.#group = null;
    this.#blocks = 0;
    this.#sizeBytes = 0;
    this.#open = 0;
    return database;
  }

  #prepared(): StatementSync {
    return this.#database.prepare(
      'INSERT INTO blocks (first_key, last_key, objects, size, data) VALUES (?, ?, ?, ?, ?)',
    );
  }

  #preparedOwners(): StatementSync {
    return this.#database.prepare('INSERT INTO owners (block, runs) VALUES (?, ?)');
  }

  #commit(): void {
    if (this.#open > 0) this.#database.exec('COMMIT');
    this.#open = 0;
  }

  #storeGroup(): void {
    const number = Math.floor((this.#blocks - 1) / blocksPerGroup);
    const insert = this.#database.prepare('INSERT INTO grams (slice, block_group, bits) VALUES (?, ?, ?)');
    for (let slice = 0; slice < sliceCount; slice += 1)
      insert.run(slice, number, this.#group?.slice(slice) ?? new Uint8Array());
    this.#group = null;
  }

  /**
   * Sorts the rows of an unordered listing. If a key was listed several times, only the row with the latest modification stays, and the sums are recomputed. With `isKept`, the sorted rows replace the blocks of the catalogue.
   */
  #sort(counted: Sums, isKept: boolean): Sums {
    const database = this.#database;
    database.exec(
      `CREATE TABLE loose (key TEXT PRIMARY KEY, modified INTEGER NOT NULL, row TEXT NOT NULL, owner TEXT NOT NULL)
       STRICT, WITHOUT ROWID; BEGIN`,
    );
    const put = database.prepare(
      `INSERT INTO loose (key, modified, row, owner) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE
       SET modified = excluded.modified, row = excluded.row, owner = excluded.owner
       WHERE (excluded.modified, excluded.row) > (loose.modified, loose.row)`,
    );
    const blocks = database.prepare('SELECT data, runs FROM blocks JOIN owners ON block = id ORDER BY id');
    for (const { data, runs } of blocks.iterate()) {
      const owners = ownersOf(JSON.parse(String(runs)) as OwnerRuns);
      for (const row of new Block(data as Uint8Array).rows())
        put.run(row.key, row.modifiedS, JSON.stringify(row), owners.next().value ?? '');
    }
    database.exec('DELETE FROM blocks; DELETE FROM grams; COMMIT');
    this.#blocks = 0;
    this.#group = null;
    const { kept } = database.prepare('SELECT count(*) AS kept FROM loose').get() as { kept: number };
    const recount = kept === counted.folderSums.objects ? null : new Recount(counted.folderSums.prefix);
    if (recount === null && !isKept) return counted;
    const read = database.prepare('SELECT row, owner FROM loose WHERE key > ? ORDER BY key LIMIT ?');
    for (let after = ''; ;) {
      const found = read.all(after, rowsPerBlock);
      const rows = found.map(({ row }) => JSON.parse(String(row)) as KeyRow);
      const last = rows.at(-1);
      if (last === undefined) break;
      const data = encodeBlock(rows);
      const block = new Block(data);
      if (isKept) this.add(block, data, null);
      recount?.add(
        rows,
        found.map(({ owner }) => String(owner)),
        block,
      );
      after = last.key;
    }
    this.#commit();
    database.exec('DROP TABLE loose');
    return recount ?? counted;
  }
}

/** Sums over rows without repeated keys. */
class Recount implements Sums {
  readonly folderSums: FolderSums;
  readonly tops = new Tops();

  constructor(prefix: string) {
    this.folderSums = new FolderSums(prefix);
  }

  add(rows: readonly KeyRow[], owners: readonly string[], block: Block): void {
    const writer = new KeyPageWriter();
    for (const [at, { key, sizeBytes, modifiedS, storageClass }] of rows.entries())
      writer.add(key, sizeBytes, isoOf(modifiedS), null, storageClass, owners[at] ?? null);
    const page = writer.finish();
    if (page !== null) this.folderSums.add(readKeyPage(page));
    this.tops.add(block);
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
