import type { DeletedEntry, DeletedPage } from '../../../shared/models/versions.ts';
import { foldName, typedWords } from '../../../shared/keys/name-match.ts';

const rowsByListing = new WeakMap<DeletedPage, { pages: number; rows: readonly DeletedEntry[] }>();

/** Returns the deleted objects of all pages, the last deleted first. Caches the result, so that a new page costs one merge. */
export function newestDeleted(pages: readonly DeletedPage[]): readonly DeletedEntry[] {
  const [first] = pages;
  if (first === undefined) return [];
  const known = rowsByListing.get(first) ?? { pages: 0, rows: [] };
  for (const { deleted } of pages.slice(known.pages))
    known.rows = merged(known.rows, deleted.toSorted(byTime));
  known.pages = pages.length;
  rowsByListing.set(first, known);
  return known.rows;
}

/** Returns the id of a row. It includes the key, since all markers have the id `null` while versioning is suspended. */
export function deletedId({ key, versionId }: Pick<DeletedEntry, 'key' | 'versionId'>): string {
  return `${versionId} ${key}`;
}

/** Returns the objects whose key contains every typed word. */
export function matchingDeleted(rows: readonly DeletedEntry[], typed: string): readonly DeletedEntry[] {
  const words = typedWords(typed);
  if (words.length === 0) return rows;
  return rows.filter(({ key }) => {
    const folded = foldName(key);
    return words.every((word) => folded.includes(word));
  });
}

function byTime(entry: DeletedEntry, other: DeletedEntry): number {
  const [a, b] = [entry.deletedAt ?? '', other.deletedAt ?? ''];
  return a === b ? 0 : a < b ? 1 : -1;
}

function merged(before: readonly DeletedEntry[], added: readonly DeletedEntry[]): readonly DeletedEntry[] {
  if (added.length === 0) return before;
  const rows: DeletedEntry[] = [];
  let next = 0;
  for (const row of before) {
    for (let entry = added[next]; entry !== undefined && byTime(entry, row) < 0; entry = added[next]) {
      rows.push(entry);
      next += 1;
    }
    rows.push(row);
  }
  return [...rows, ...added.slice(next)];
}
