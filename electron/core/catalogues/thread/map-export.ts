import { csvText } from '../../walks/tables/export-text.ts';
import { isoOf, type MapSums } from './map-sums.ts';

interface Wish {
  readonly folder: string;
  readonly format: 'csv' | 'json';
  /** The number of the first folder of this piece. */
  readonly from: number;
  readonly limit: number;
}

interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly next: number | null;
}

/** Renders a range of the folders below `folder`, with their sums. All pieces joined are one CSV file or JSON array. */
export function exportPiece(sums: MapSums, { folder, format, from, limit }: Wish): Piece {
  const { cube } = sums;
  const top = cube.find(folder);
  const rolled = sums.rolled({ kinds: null, storageClasses: null, ages: null });
  const newest = sums.rolledNewest();
  const isBelow = top === -1 ? new Uint8Array(cube.folderCount) : cube.below(top);
  const lines: string[] = [];
  let at = from;
  for (; at < cube.folderCount && lines.length < limit; at += 1) {
    if (isBelow[at] !== 1) continue;
    const row = {
      folder: cube.pathOf(at),
      objects: rolled.objects[at] ?? 0,
      sizeBytes: rolled.sizeBytes[at] ?? 0,
      ownObjects: rolled.ownObjects[at] ?? 0,
      ownBytes: rolled.ownBytes[at] ?? 0,
      newest: isoOf(newest[at] ?? 0),
    };
    lines.push(
      format === 'json'
        ? JSON.stringify(row)
        : [
            csvText(row.folder),
            row.objects,
            row.sizeBytes,
            row.ownObjects,
            row.ownBytes,
            row.newest ?? '',
          ].join(','),
    );
  }
  const next = at < cube.folderCount ? at : null;
  const text =
    format === 'csv'
      ? `${from === 0 ? `${heading}\r\n` : ''}${lines.map((line) => `${line}\r\n`).join('')}`
      : `${from === 0 ? '[\n' : lines.length > 0 ? ',\n' : ''}${lines.join(',\n')}${next === null ? '\n]\n' : ''}`;
  return { bytes: new TextEncoder().encode(text), rows: lines.length, next };
}

const heading =
  'Folder,Objects below,Size below in bytes,Objects in the folder itself,Size in the folder itself in bytes,Newest';
