import {
  folderRowsOfPage,
  type FolderRow,
  type RowsPage,
} from '../../../../renderer/features/objects/rows/row.ts';

export function objectRow(key: string, change: Partial<FolderRow> = {}): FolderRow {
  return {
    kind: 'object',
    key,
    sizeBytes: 1,
    modifiedMs: 0,
    storageClass: 'STANDARD',
    etag: null,
    ...change,
  };
}

/** Returns a page with these prefixes and keys, as the core would send it. */
export function pageOf(
  commonPrefixes: readonly string[],
  keys: readonly string[],
  token: string | null = null,
): RowsPage {
  return folderRowsOfPage(
    {
      commonPrefixes: [...commonPrefixes],
      objects: keys.map((key, at) => ({
        key,
        sizeBytes: at,
        lastModified: '2026-01-02T03:04:05.000Z',
        etag: null,
        storageClass: 'STANDARD',
      })),
      nextPageToken: token,
      hasPlaceholder: false,
      unreadable: [],
      foreign: { count: 0, example: null },
    },
    0,
  );
}
