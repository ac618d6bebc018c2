import { compareKeys } from '../../../shared/keys/paths.ts';
import type { VersionEntry, VersionsPage } from '../../../shared/models/versions.ts';

export type VersionRow =
  | { readonly kind: 'folder'; readonly prefix: string }
  /** `isFirst` is true for the first row of a key, which shows the name. Rows below it are older versions. */
  | { readonly kind: 'version'; readonly entry: VersionEntry; readonly isFirst: boolean };

const rowsByListing = new WeakMap<
  VersionsPage,
  { pages: number; readonly rows: VersionRow[]; readonly names: Set<string> }
>();

/** Returns the rows of all pages. Caches the result, so that the cost of a new page does not depend on earlier pages. */
export function versionRowsOf(pages: readonly VersionsPage[]): readonly VersionRow[] {
  const [first] = pages;
  if (first === undefined) return [];
  const known = rowsByListing.get(first) ?? { pages: 0, rows: [], names: new Set<string>() };
  rowsByListing.set(first, known);
  for (const page of pages.slice(known.pages)) {
    for (const row of versionRowsOfPage(page, known.rows.at(-1))) {
      // Some services list an entry on two pages.
      const name = versionRowId(row);
      if (known.names.has(name)) continue;
      known.names.add(name);
      known.rows.push(row);
    }
  }
  known.pages = pages.length;
  return known.rows;
}

/** Returns the id of a row, which stays the same when the versions are listed again. */
export function versionRowId(row: VersionRow): string {
  return row.kind === 'folder' ? row.prefix : JSON.stringify([row.entry.key, row.entry.versionId]);
}

/** Merges the folders and versions on a page, in the order of the UTF-8 bytes of their keys. */
export function versionRowsOfPage(page: VersionsPage, before: VersionRow | undefined): readonly VersionRow[] {
  const rows: VersionRow[] = [];
  const prefixes = [...page.commonPrefixes].toSorted(compareKeys);
  let lastKey = before?.kind === 'version' ? before.entry.key : null;
  let at = 0;
  for (const entry of page.versions) {
    while (at < prefixes.length && compareKeys(prefixes[at] ?? '', entry.key) < 0) {
      rows.push({ kind: 'folder', prefix: prefixes[at] ?? '' });
      at += 1;
    }
    rows.push({ kind: 'version', entry, isFirst: entry.key !== lastKey });
    lastKey = entry.key;
  }
  for (const prefix of prefixes.slice(at)) rows.push({ kind: 'folder', prefix });
  return rows;
}

export type VersionAction = 'preview' | 'download' | 'link' | 'restore' | 'undelete' | 'copyId' | 'remove';

/**
 * Returns the actions on a version. A delete marker has no content, the latest version needs no restore, and undelete removes the
 * latest marker.
 */
export function versionActionsFor(entry: VersionEntry): readonly VersionAction[] {
  if (entry.isDeleteMarker) return entry.isLatest ? ['undelete', 'copyId'] : ['copyId', 'remove'];
  const restore = entry.isLatest ? [] : (['restore'] as const);
  return ['preview', 'download', 'link', ...restore, 'copyId', 'remove'];
}

/** Returns a version's role among the versions of its key. */
export function stateOf(entry: VersionEntry): 'latest' | 'older' | 'deleted' | 'marker' {
  if (entry.isDeleteMarker) return entry.isLatest ? 'deleted' : 'marker';
  return entry.isLatest ? 'latest' : 'older';
}
