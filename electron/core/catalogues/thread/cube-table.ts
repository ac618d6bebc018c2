import type { DatabaseSync } from 'node:sqlite';
import { CellRuns } from '../../walks/survey/cell-runs.ts';
import { FolderCube } from '../../walks/survey/folder-cube.ts';
import { Tops, type StoredTops } from './tops.ts';

const ofFolders = ['parents', 'newest', 'oldest', 'markers'] as const;

interface Words {
  readonly prefix: string;
  readonly classes: readonly string[];
  readonly owners: readonly string[];
  readonly names: readonly string[];
  readonly tops: StoredTops;
  /** Absent: the cells are columns, as version 2 wrote them. */
  readonly cellBlocks?: number;
}

const cellsName = (number: number): string => `cells ${String(number)}`;

/** The sums of all folders, as columns and blocks of one row each. */
export function storeCube(database: DatabaseSync, cube: FolderCube, tops: Tops): void {
  const stored = cube.stored();
  const insert = database.prepare('INSERT INTO sums (name, data) VALUES (?, ?)');
  const { prefix, classes, owners, names, cells } = stored;
  const words: Words = { prefix, classes, owners, names, tops: tops.stored(), cellBlocks: cells.length };
  insert.run('words', Buffer.from(JSON.stringify(words), 'utf8'));
  const put = (name: string, { buffer, byteOffset, byteLength }: Uint32Array<ArrayBuffer>): void => {
    insert.run(name, new Uint8Array(buffer, byteOffset, byteLength));
  };
  for (const name of ofFolders) put(name, stored[name]);
  for (const [number, block] of cells.entries()) put(cellsName(number), block);
}

export function loadCube(database: DatabaseSync): { readonly cube: FolderCube; readonly tops: Tops } {
  const read = database.prepare('SELECT data FROM sums WHERE name = ?');
  const bytesOf = (name: string): Uint8Array<ArrayBuffer> => {
    const data = read.get(name)?.['data'];
    if (!(data instanceof Uint8Array)) throw new RangeError('The sums of a catalogue are not complete.');
    return Uint8Array.from(data);
  };
  const intsOf = (name: string): Uint32Array<ArrayBuffer> => {
    const { buffer, byteLength } = bytesOf(name);
    return new Uint32Array(buffer, 0, Math.floor(byteLength / 4));
  };
  const { tops, cellBlocks, ...words } = JSON.parse(Buffer.from(bytesOf('words')).toString('utf8')) as Words;
  const cells =
    cellBlocks === undefined
      ? cellsOfColumns(words.names.length, intsOf, bytesOf)
      : Array.from({ length: cellBlocks }, (_, number) => intsOf(cellsName(number)));
  const cube = FolderCube.of({
    ...words,
    parents: intsOf('parents'),
    newest: intsOf('newest'),
    oldest: intsOf('oldest'),
    markers: intsOf('markers'),
    cells,
  });
  return { cube, tops: new Tops(tops) };
}

/** What a catalogue of version 2 holds of a bucket may be gone from the bucket: it can still be compared with newer ones. */
function cellsOfColumns(
  folderCount: number,
  intsOf: (name: string) => Uint32Array,
  bytesOf: (name: string) => Uint8Array<ArrayBuffer>,
): readonly Uint32Array<ArrayBuffer>[] {
  const [folders, codes] = [intsOf('cellFolders'), intsOf('cellCodes')];
  const [objects, sizes] = ['cellObjects', 'cellBytes'].map((name) => {
    const { buffer, byteLength } = bytesOf(name);
    return new Float64Array(buffer, 0, Math.floor(byteLength / 8));
  });
  const runs = new CellRuns();
  for (let at = 0; at < folders.length;) {
    const folder = folders[at] ?? 0;
    if (folder >= folderCount) throw new RangeError('The sums of a catalogue do not belong together.');
    const cells: number[] = [];
    for (; at < folders.length && folders[at] === folder; at += 1)
      cells.push(codes[at] ?? 0, objects?.[at] ?? 0, sizes?.[at] ?? 0);
    runs.add(folder, cells);
  }
  return runs.blocks();
}
