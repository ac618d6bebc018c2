import { askForThumbnails, thumbnailKind } from '../../viewers/index.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';

/** Returns how the thumbnail of a row is made, or `none` for a folder. */
export function rowThumbnail(row: FolderRow): ReturnType<typeof thumbnailKind> {
  return row.kind === 'folder' ? 'none' : thumbnailKind(row);
}

/** Returns a function that makes the thumbnails that are only made on request, or null if no row has one. */
export function thumbnailsOf(place: FolderPlace, rows: readonly FolderRow[]): (() => void) | null {
  const asking = rows.filter((row) => rowThumbnail(row) === 'asks');
  return asking.length === 0 ? null : () => void askForThumbnails(asking.map((row) => ({ place, row })));
}
