import type { DatabaseSync } from 'node:sqlite';
import { FolderCube, type StoredCube } from '../../walks/survey/folder-cube.ts';
import { Tops, type StoredTops } from './tops.ts';

const ints = ['parents', 'newest', 'oldest', 'markers', 'cellFolders', 'cellCodes'] as const;
const floats = ['cellObjects', 'cellBytes'] as const;

interface Words {
  readonly prefix: string;
  readonly classes: readonly string[];
  readonly owners: readonly string[];
  readonly names: readonly string[];
  readonly tops: StoredTops;
}

/** The sums of all folders, as columns of one row each. */
export function storeCube(database: DatabaseSync, cube: FolderCube, tops: Tops): void {
  const stored = cube.stored();
  const insert = database.prepare('INSERT INTO sums (name, data) VALUES (?, ?)');
  const { prefix, classes, owners, names } = stored;
  const words: Words = { prefix, classes, owners, names, tops: tops.stored() };
  insert.run('words', Buffer.from(JSON.stringify(words), 'utf8'));
  for (const name of [...ints, ...floats]) {
    const { buffer, byteOffset, byteLength } = stored[name];
    insert.run(name, new Uint8Array(buffer, byteOffset, byteLength));
  }
}

export function loadCube(database: DatabaseSync): { readonly cube: FolderCube; readonly tops: Tops } {
  const read = database.prepare('SELECT data FROM sums WHERE name = ?');
  const bytesOf = (name: string): Uint8Array => {
    const data = read.get(name)?.['data'];
    if (!(data instanceof Uint8Array)) throw new RangeError('The sums of a catalogue are not complete.');
    return data;
  };
  const intsOf = (name: (typeof ints)[number]): Uint32Array<ArrayBuffer> => {
    const bytes = Uint8Array.from(bytesOf(name));
    return new Uint32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
  };
  const floatsOf = (name: (typeof floats)[number]): Float64Array<ArrayBuffer> => {
    const bytes = Uint8Array.from(bytesOf(name));
    return new Float64Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 8));
  };
  const { tops, ...words } = JSON.parse(Buffer.from(bytesOf('words')).toString('utf8')) as Words;
  const stored: StoredCube = {
    ...words,
    parents: intsOf('parents'),
    newest: intsOf('newest'),
    oldest: intsOf('oldest'),
    markers: intsOf('markers'),
    cellFolders: intsOf('cellFolders'),
    cellCodes: intsOf('cellCodes'),
    cellObjects: floatsOf('cellObjects'),
    cellBytes: floatsOf('cellBytes'),
  };
  return { cube: FolderCube.of(stored), tops: new Tops(tops) };
}
