import type { DatabaseSync } from 'node:sqlite';
import { CellRuns } from '../../walks/map/cell-runs.ts';
import { FolderSums, type StoredSums } from '../../walks/map/folder-sums.ts';
import { FolderNames } from '../../walks/map/folder-names.ts';
import { Tops, type StoredTops } from './tops.ts';

const ofFolders = ['parents', 'newest', 'oldest', 'markers'] as const;

interface Words {
  readonly prefix: string;
  readonly classes: readonly string[];
  readonly owners: readonly string[];
  readonly tops: StoredTops;
  readonly cellBlocks: number;
}

/** The columns stored by the previous version, in which cells were separate columns instead of blocks. */
interface WordsBefore extends Omit<Words, 'cellBlocks'> {
  readonly names: readonly string[];
}

const cellsName = (number: number): string => `cells ${String(number)}`;

/**
 * Stores the folder sums of a catalogue. Each column and block gets its own row, so that memory never holds two copies of
 * everything.
 */
export function storeSums(database: DatabaseSync, folderSums: FolderSums, tops: Tops): void {
  const stored = folderSums.stored();
  const insert = database.prepare('INSERT INTO sums (name, data) VALUES (?, ?)');
  const put = (name: string, { buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): void => {
    insert.run(name, new Uint8Array(buffer, byteOffset, byteLength));
  };
  const { prefix, classes, owners, cells } = stored;
  const words: Words = { prefix, classes, owners, tops: tops.stored(), cellBlocks: cells.length };
  put('words', Buffer.from(JSON.stringify(words), 'utf8'));
  put('names', stored.names.bytes);
  put('nameEnds', stored.names.ends);
  for (const name of ofFolders) put(name, stored[name]);
  for (const [number, block] of cells.entries()) put(cellsName(number), block);
}

export function loadSums(database: DatabaseSync): { readonly folderSums: FolderSums; readonly tops: Tops } {
  const columns = new StoredColumns(database);
  const read = JSON.parse(Buffer.from(columns.bytes('words')).toString('utf8')) as Words | WordsBefore;
  const { prefix, classes, owners, tops } = read;
  const { names, cells } =
    'names' in read
      ? sumsBefore(columns, read.names)
      : {
          names: { bytes: columns.bytes('names'), ends: columns.ints('nameEnds') },
          cells: Array.from({ length: read.cellBlocks }, (_, number) => columns.ints(cellsName(number))),
        };
  const folderSums = FolderSums.of({
    prefix,
    classes,
    owners,
    names,
    parents: columns.ints('parents'),
    newest: columns.ints('newest'),
    oldest: columns.ints('oldest'),
    markers: columns.ints('markers'),
    cells,
  });
  return { folderSums, tops: new Tops(tops) };
}

/**
 * Reads the sums from a catalogue of the previous version. Such catalogues must not be deleted: only they contain keys that have
 * left the bucket, and newer catalogues are compared with them.
 */
function sumsBefore(columns: StoredColumns, texts: readonly string[]): Pick<StoredSums, 'names' | 'cells'> {
  const names = new FolderNames();
  for (const text of texts) names.add(text);
  const [folders, codes] = [columns.ints('cellFolders'), columns.ints('cellCodes')];
  const [objects, sizes] = [columns.floats('cellObjects'), columns.floats('cellBytes')];
  if ([codes, objects, sizes].some(({ length }) => length !== folders.length))
    throw new RangeError('The sums of a catalogue are inconsistent.');
  const runs = new CellRuns();
  for (let at = 0; at < folders.length;) {
    const folder = folders[at] ?? 0;
    if (folder >= texts.length) throw new RangeError('The sums of a catalogue refer to a missing folder.');
    const cells: number[] = [];
    for (; at < folders.length && folders[at] === folder; at += 1)
      cells.push(codes[at] ?? 0, objects[at] ?? 0, sizes[at] ?? 0);
    runs.add(folder, cells);
  }
  return { names: names.stored(), cells: runs.blocks() };
}

/** Reads stored columns as copies, because the database reuses its buffer, which may also be unaligned. */
class StoredColumns {
  readonly #read;

  constructor(database: DatabaseSync) {
    this.#read = database.prepare('SELECT data FROM sums WHERE name = ?');
  }

  bytes(name: string): Uint8Array<ArrayBuffer> {
    const data = this.#read.get(name)?.['data'];
    if (!(data instanceof Uint8Array)) throw new RangeError('The sums of a catalogue are incomplete.');
    return new Uint8Array(data);
  }

  ints(name: string): Uint32Array<ArrayBuffer> {
    const { buffer, byteLength } = this.bytes(name);
    return new Uint32Array(buffer, 0, Math.floor(byteLength / 4));
  }

  floats(name: string): Float64Array<ArrayBuffer> {
    const { buffer, byteLength } = this.bytes(name);
    return new Float64Array(buffer, 0, Math.floor(byteLength / 8));
  }
}
