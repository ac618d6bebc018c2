import type { QueryClient } from '@tanstack/react-query';
import { listingOf } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import type { Pages } from './folder-query.ts';

/** A folder whose first page was listed. */
export interface ListedFolder {
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
  /** The folder's subfolders on its first page, in the service's order. */
  readonly folders: readonly string[];
  /** The token of the next page, or null at the end. */
  readonly nextPageToken: string | null;
}

/** Calls `tell` for each bucket folder whose first page has loaded. Returns a function that unsubscribes. */
export function onFolderListed(queries: QueryClient, tell: (listed: ListedFolder) => void): () => void {
  return queries.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (event.type !== 'updated' || event.action.type !== 'success' || query.queryKey[0] !== 'folder') return;
    const { pages = [] } = (query.state.data as Pages | undefined) ?? {};
    const [first] = pages;
    if (first === undefined || pages.length > 1) return;
    const place = listingOf(String(query.queryKey[1]));
    // Skips listings restricted by `startsWith`, which do not show a whole folder.
    if (place === null || !(place.prefix === '' || place.prefix.endsWith('/'))) return;
    const folders: string[] = [];
    for (const row of first.rows) if (row.kind === 'folder') folders.push(row.key);
    tell({ ...place, folders, nextPageToken: first.nextPageToken });
  });
}

/** A loaded row in a listing, with its location. */
interface KnownRow {
  readonly connectionId: string;
  readonly bucket: string;
  readonly folder: string;
  readonly row: FolderRow;
}

/** Returns the rows of all loaded listings, each once, at most `limit`. */
export function knownRows(queries: QueryClient, limit: number): readonly KnownRow[] {
  const known = new Map<string, KnownRow>();
  for (const query of queries.getQueryCache().findAll({ queryKey: ['folder'] })) {
    const place = listingOf(String(query.queryKey[1]));
    const data = query.state.data as Pages | undefined;
    if (place === null || data === undefined) continue;
    const { connectionId, bucket, prefix } = place;
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    for (const { rows } of data.pages)
      for (const row of rows) {
        if (known.size >= limit) return [...known.values()];
        known.set(`${connectionId}\0${bucket}\0${row.key}`, { connectionId, bucket, folder, row });
      }
  }
  return [...known.values()];
}
