import type { QueryClient } from '@tanstack/react-query';
import { listingOf } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import type { Pages } from './folder-query.ts';

/** A loaded row in a listing, with its location. */
export interface KnownRow {
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
