import type { Bookmark } from '../../../shared/models/settings.ts';

export type BookmarkedPlace = Pick<Bookmark, 'connectionId' | 'bucket' | 'prefix'>;

/** Returns the folder to bookmark. For a prefix without a trailing slash (the start of names), this is its parent folder. */
export function folderOf(place: BookmarkedPlace): BookmarkedPlace {
  return { ...place, prefix: place.prefix.slice(0, place.prefix.lastIndexOf('/') + 1) };
}

export function isSameFolder(a: BookmarkedPlace, b: BookmarkedPlace): boolean {
  return a.connectionId === b.connectionId && a.bucket === b.bucket && a.prefix === b.prefix;
}

export function bookmarkOf(bookmarks: readonly Bookmark[], place: BookmarkedPlace): Bookmark | null {
  return bookmarks.find((bookmark) => isSameFolder(bookmark, place)) ?? null;
}

/** Returns the last non-empty segment of the path, otherwise the bucket. */
export function suggestedName(place: BookmarkedPlace): string {
  const segments = place.prefix.split('/').filter((segment) => segment.trim() !== '');
  return segments.at(-1) ?? place.bucket;
}

export function bookmarkPath(place: Pick<BookmarkedPlace, 'bucket' | 'prefix'>): string {
  return place.prefix === '' ? place.bucket : `${place.bucket}/${place.prefix}`;
}

/** Returns the ids after moving one of them a step. Unchanged at the ends. */
export function stepped(ids: readonly string[], moved: string, step: -1 | 1): readonly string[] {
  const at = ids.indexOf(moved);
  const to = at + step;
  if (at === -1 || to < 0 || to >= ids.length) return ids;
  return ids.toSpliced(at, 1).toSpliced(to, 0, moved);
}

/** Returns the ids after moving one of them to the position of another. */
export function placed(ids: readonly string[], moved: string, target: string): readonly string[] {
  const from = ids.indexOf(moved);
  const to = ids.indexOf(target);
  if (from === -1 || to === -1) return ids;
  return ids.toSpliced(from, 1).toSpliced(to, 0, moved);
}
