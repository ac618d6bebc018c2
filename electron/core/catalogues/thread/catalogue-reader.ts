import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { compareKeys } from '../../../../shared/keys/paths.ts';
import { Block } from '../../walks/map/block.ts';
import type { FolderSums } from '../../walks/map/folder-sums.ts';
import type { KeyRow } from '../../walks/map/key-row.ts';
import { catalogueVersion, versionBefore } from './catalogue-writer.ts';
import { loadSums } from './sums-table.ts';
import { blocksPerGroup, everyBlock, narrow, sliceOf } from './grams.ts';
import type { Tops } from './tops.ts';

export interface BlockFacts {
  readonly id: number;
  readonly firstKey: string;
  readonly lastKey: string;
  readonly objects: number;
  readonly sizeBytes: number;
}

/** Reads a complete catalogue. Throws if the file is damaged or has an unknown version. */
export class CatalogueReader {
  readonly #database: DatabaseSync;
  readonly #data: StatementSync;
  #facts: readonly BlockFacts[] | null = null;

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { readOnly: true });
    try {
      const version = this.#database.prepare('PRAGMA user_version').get()?.['user_version'];
      if (version !== catalogueVersion && version !== versionBefore)
        throw new RangeError('This catalogue has another format version.');
      this.#data = this.#database.prepare('SELECT data FROM blocks WHERE id = ?');
    } catch (thrown) {
      this.#database.close();
      throw thrown;
    }
  }

  sums(): { readonly folderSums: FolderSums; readonly tops: Tops } {
    return loadSums(this.#database);
  }

  /** Returns the facts about all blocks, in key order. */
  blocks(): readonly BlockFacts[] {
    this.#facts ??= this.#database
      .prepare(
        'SELECT id, first_key, last_key, objects, size FROM blocks INDEXED BY by_key ORDER BY first_key',
      )
      .all()
      .map((row) => ({
        id: Number(row['id']),
        firstKey: String(row['first_key']),
        lastKey: String(row['last_key']),
        objects: Number(row['objects']),
        sizeBytes: Number(row['size']),
      }));
    return this.#facts;
  }

  /** Returns the facts about the blocks that may contain keys with this prefix. */
  blocksOf(prefix: string): readonly BlockFacts[] {
    if (prefix === '') return this.blocks();
    return this.blocks().filter(
      ({ firstKey, lastKey }) =>
        compareKeys(lastKey, prefix) >= 0 &&
        (firstKey.startsWith(prefix) || compareKeys(firstKey, prefix) <= 0),
    );
  }

  block({ id }: Pick<BlockFacts, 'id'>): Block {
    const data = this.#data.get(id)?.['data'];
    if (!(data instanceof Uint8Array)) throw new RangeError('A block of a catalogue is missing.');
    return new Block(data);
  }

  /** Returns a function that is true for blocks that may contain all of the grams (grams.ts); null if `grams` is empty. */
  holding(grams: readonly number[]): ((id: number) => boolean) | null {
    if (grams.length === 0) return null;
    const groups = new Map<number, Uint8Array>();
    const read = this.#database.prepare('SELECT block_group, bits FROM grams WHERE slice = ?');
    for (const gram of grams)
      for (const row of read.all(sliceOf(gram))) {
        const group = Number(row['block_group']);
        const candidates = groups.get(group) ?? everyBlock();
        groups.set(group, candidates);
        narrow(candidates, row['bits'] as Uint8Array, gram);
      }
    // Block ids start at 1, so they are reduced by one to get an index.
    return (id) => {
      const candidates = groups.get(Math.floor((id - 1) / blocksPerGroup));
      const place = (id - 1) % blocksPerGroup;
      return candidates === undefined || ((candidates[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
    };
  }

  /** Yields all objects whose keys start with the prefix, in key order. */
  *rows(prefix: string): Generator<KeyRow, void, void> {
    for (const facts of this.blocksOf(prefix))
      for (const row of this.block(facts).rows()) if (row.key.startsWith(prefix)) yield row;
  }

  /** Closes the file. May be called again. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
