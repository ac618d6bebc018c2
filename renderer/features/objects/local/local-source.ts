import type { QueryClient } from '@tanstack/react-query';
import type { FileEntry, LocalRoot } from '../../../../shared/models/files.ts';
import { rpc } from '../../../rpc/client.ts';
import { PackedRows } from '../rows/packed-rows.ts';
import { type FolderSource, refreshListed } from '../folder/folder-query.ts';
import type { ListNumber } from '../rows/place.ts';
import type { FolderRow, RowsPage } from '../rows/row.ts';

const idsBegin = 'local\0';
const pageSize = 5000;

function rowOf({ handle, name, kind, sizeBytes, modifiedAt }: FileEntry): FolderRow {
  return {
    kind: kind === 'folder' ? 'folder' : 'object',
    // A key that ends in a slash is a folder, as in a bucket.
    key: kind === 'folder' ? `${name}/` : name,
    sizeBytes: sizeBytes ?? 0,
    modifiedMs: modifiedAt === null ? Number.NaN : Date.parse(modifiedAt),
    storageClass: null,
    etag: null,
    handle,
  };
}

function pageOf(rows: readonly FolderRow[], leftOut: number): RowsPage {
  return {
    rows: PackedRows.of(rows),
    listedAtMs: Date.now(),
    nextPageToken: null,
    hasPlaceholder: false,
    unreadable: [],
    foreign: { count: leftOut, example: null },
  };
}

/** Reads a whole folder before it is shown. A disk is fast enough, and a complete list is sorted from the start. */
async function readAll(folderHandle: string, showHidden: boolean, signal: AbortSignal): Promise<RowsPage> {
  const rows: FolderRow[] = [];
  let leftOut = 0;
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const input = { folderHandle, offset, limit: pageSize, text: '', showHidden };
    const page = await rpc.files.list(input, { signal });
    rows.push(...page.entries.map(rowOf));
    // Each reply states `leftOut` for the whole folder, so the replies are not added up.
    leftOut = Math.max(leftOut, page.leftOut);
    ({ total } = page);
  }
  return pageOf(rows, leftOut);
}

async function readRoots(
  nameOf: (root: LocalRoot) => string,
  signal: AbortSignal,
): Promise<readonly FolderRow[]> {
  const roots = await rpc.files.roots(undefined, { signal });
  return roots.map((root) => rowOf({ ...root, name: nameOf(root) }));
}

/** Returns the source of a folder on this computer. If `folderHandle` is null, it lists the top-level folders. */
export function localSource(
  folderHandle: string | null,
  list: ListNumber,
  showHidden: boolean,
  rootName: (root: LocalRoot) => string,
): FolderSource {
  return {
    id: idsBegin + [folderHandle ?? '', String(showHidden), String(list)].join('\0'),
    folder: '',
    rest: null,
    page: async (_, signal) =>
      folderHandle === null
        ? pageOf(await readRoots(rootName, signal), 0)
        : await readAll(folderHandle, showHidden, signal),
  };
}

/** After a change, lists the visible folders of this computer again. */
export function refreshLocalFolders(queries: QueryClient): void {
  refreshListed(queries, idsBegin);
}
