import { assertNever } from '../../../../shared/assert-never.ts';
import { compareKeys } from '../../../../shared/keys/paths.ts';
import { fileKinds } from '../../../../shared/keys/file-kind.ts';
import type { MapFilter, MapRow, MapRows } from '../../../../shared/models/map.ts';
import { isoOf, kindOfKey, nameOfKey, type MapSums } from './map-sums.ts';
import { csvText } from '../../walks/tables/export-text.ts';

interface RowSort {
  readonly by: 'name' | 'size' | 'objects' | 'newest' | 'kind' | 'storageClass';
  readonly descending: boolean;
}

export interface RowRange {
  readonly offset: number;
  readonly limit: number;
  readonly sort: RowSort;
}

/** Returns the direct subfolders of a folder, and those of its objects whose names are known (the largest in the bucket). */
export function mapRows(
  sums: MapSums,
  folder: string,
  filter: MapFilter,
  { offset, limit, sort }: RowRange,
): MapRows {
  const { folderSums } = sums;
  const number = folderSums.find(folder);
  if (number === -1) return { rows: [], total: 0, unnamed: { objects: 0, sizeBytes: 0 } };
  const rolled = sums.rolled(filter);
  const newest = sums.rolledNewest();
  const { starts, children } = sums.childLists();
  const folders = [...children.subarray(starts[number] ?? 0, starts[number + 1] ?? 0)];
  const kindOf = sums.dominant(filter, 'size', sums.byKind, folders);
  const classOf = sums.dominant(filter, 'size', sums.byClass(), folders);
  const objects = sums.objectsByFolder(filter).get(number) ?? [];
  const all: MapRow[] = objects.map((row) => ({
    kind: 'object',
    name: nameOfKey(row.key),
    sizeBytes: row.sizeBytes,
    objects: 1,
    newest: isoOf(row.modifiedS),
    fileKind: kindOfKey(row.key),
    storageClass: row.storageClass,
  }));
  for (const child of folders) {
    if ((rolled.objects[child] ?? 0) === 0) continue;
    const kind = kindOf(child);
    all.push({
      kind: 'folder',
      name: folderSums.nameOf(child),
      sizeBytes: rolled.sizeBytes[child] ?? 0,
      objects: rolled.objects[child] ?? 0,
      newest: isoOf(newest[child] ?? 0),
      fileKind: fileKinds.find((fileKind) => fileKind === kind) ?? 'file',
      storageClass: classOf(child),
    });
  }
  all.sort(comparing(sort));
  const namedBytes = objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    rows: all.slice(offset, offset + limit),
    total: all.length,
    unnamed: {
      objects: Math.max(0, (rolled.directObjects[number] ?? 0) - objects.length),
      sizeBytes: Math.max(0, (rolled.directBytes[number] ?? 0) - namedBytes),
    },
  };
}

/** Returns a function that compares rows by a column, then by name. */
function comparing({ by, descending }: RowSort): (left: MapRow, right: MapRow) => number {
  const sign = descending ? -1 : 1;
  return (left, right) => sign * (differenceOf(by, left, right) || compareKeys(left.name, right.name));
}

function differenceOf(by: RowSort['by'], left: MapRow, right: MapRow): number {
  switch (by) {
    case 'name':
      return 0;
    case 'size':
      return left.sizeBytes - right.sizeBytes;
    case 'objects':
      return left.objects - right.objects;
    case 'newest':
      return compareKeys(left.newest ?? '', right.newest ?? '');
    case 'kind':
      return compareKeys(left.fileKind, right.fileKind);
    case 'storageClass':
      return compareKeys(left.storageClass, right.storageClass);
    default:
      return assertNever(by);
  }
}

export interface ExportPieceRequest {
  readonly folder: string;
  readonly format: 'csv' | 'json';
  /** The number of the first folder of this piece. */
  readonly from: number;
  readonly limit: number;
}

export interface ExportPiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly next: number | null;
}

/** Renders a range of the folders below `folder`, with their sums. All pieces joined are one CSV file or JSON array. */
export function exportPiece(sums: MapSums, { folder, format, from, limit }: ExportPieceRequest): ExportPiece {
  const { folderSums } = sums;
  const top = folderSums.find(folder);
  const rolled = sums.rolled({ kinds: null, storageClasses: null, ages: null });
  const newest = sums.rolledNewest();
  const isBelow = top === -1 ? new Uint8Array(folderSums.folderCount) : folderSums.below(top);
  const lines: string[] = [];
  let at = from;
  for (; at < folderSums.folderCount && lines.length < limit; at += 1) {
    if (isBelow[at] !== 1) continue;
    const row = {
      folder: folderSums.pathOf(at),
      objects: rolled.objects[at] ?? 0,
      sizeBytes: rolled.sizeBytes[at] ?? 0,
      ownObjects: rolled.directObjects[at] ?? 0,
      ownBytes: rolled.directBytes[at] ?? 0,
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
  const next = at < folderSums.folderCount ? at : null;
  const text =
    format === 'csv'
      ? `${from === 0 ? `${heading}\r\n` : ''}${lines.map((line) => `${line}\r\n`).join('')}`
      : `${from === 0 ? '[\n' : lines.length > 0 ? ',\n' : ''}${lines.join(',\n')}${next === null ? '\n]\n' : ''}`;
  return { bytes: new TextEncoder().encode(text), rows: lines.length, next };
}

const heading =
  'Folder,Objects below,Size below in bytes,Objects in the folder itself,Size in the folder itself in bytes,Newest';
