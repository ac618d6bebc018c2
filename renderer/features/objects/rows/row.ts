import { compareKeys } from '../../../../shared/keys/paths.ts';
import type { FolderPage, ObjectEntry, UnreadableEntry } from '../../../../shared/models/objects.ts';
import type { BilledObject } from '../../../../shared/pricing/holdings.ts';
import type { ChosenToPrice } from '../../../rpc/use-prices.ts';
import type { Chosen } from '../../operations/index.ts';
import type { FolderRow } from './folder-row.ts';
import { PackedRows } from './packed-rows.ts';
import type { FolderPlace } from './place.ts';

export type { FolderRow } from './folder-row.ts';

/** One page of the listing as rows, in the service's order. */
export interface RowsPage {
  readonly rows: PackedRows;
  readonly listedAtMs: number;
  readonly nextPageToken: string | null;
  readonly hasPlaceholder: boolean;
  readonly unreadable: readonly UnreadableEntry[];
  readonly foreign: FolderPage['foreign'];
}

function folderRow(prefix: string): FolderRow {
  return {
    kind: 'folder',
    key: prefix,
    sizeBytes: 0,
    modifiedMs: Number.NaN,
    storageClass: null,
    etag: null,
  };
}

/** Returns the row of a listed object. */
export function objectRow(entry: ObjectEntry): FolderRow {
  return {
    kind: 'object',
    key: entry.key,
    sizeBytes: entry.sizeBytes,
    modifiedMs: entry.lastModified === null ? Number.NaN : Date.parse(entry.lastModified),
    storageClass: entry.storageClass,
    etag: entry.etag,
  };
}

/** Merges common prefixes and objects of a page into rows. Each list is in the service's order, and so is the result. */
export function folderRowsOfPage(page: FolderPage, listedAtMs: number): RowsPage {
  const { commonPrefixes, objects } = page;
  const rows: FolderRow[] = [];
  let nextObject = 0;
  for (const prefix of commonPrefixes) {
    for (let entry = objects[nextObject]; entry !== undefined; entry = objects[nextObject]) {
      if (compareKeys(entry.key, prefix) > 0) break;
      rows.push(objectRow(entry));
      nextObject += 1;
    }
    rows.push(folderRow(prefix));
  }
  for (; nextObject < objects.length; nextObject += 1) {
    const entry = objects[nextObject];
    if (entry !== undefined) rows.push(objectRow(entry));
  }
  const { nextPageToken, hasPlaceholder, unreadable, foreign } = page;
  return { rows: PackedRows.of(rows), listedAtMs, nextPageToken, hasPlaceholder, unreadable, foreign };
}

/** Returns the row's name within its folder. */
export function rowName(row: FolderRow, folder: string): string {
  return row.key.slice(folder.length, row.kind === 'folder' ? -1 : undefined);
}

/**
 * Returns the objects and folders whose download is to be priced: these rows, or the whole folder without rows. Returns null if
 * the storage class of an object is unknown.
 */
export function rowsToPrice(
  { connectionId, bucket, folder }: Pick<FolderPlace, 'connectionId' | 'bucket' | 'folder'>,
  rows: readonly Chosen[],
): ChosenToPrice | null {
  const objects: BilledObject[] = [];
  for (const { kind, sizeBytes, storageClass, modifiedMs } of rows) {
    if (kind !== 'object') continue;
    if (storageClass === undefined) return null;
    objects.push({ sizeBytes, storageClass, modifiedMs: modifiedMs ?? Number.NaN });
  }
  const folders = rows.filter(({ kind }) => kind === 'folder').map(({ key }) => key);
  return { connectionId, bucket, prefixes: rows.length === 0 ? [folder] : folders, objects };
}
