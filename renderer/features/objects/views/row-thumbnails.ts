import { thumbnailKind } from '../../viewers/index.ts';
import type { FolderRow } from '../rows/row.ts';

/** Returns how the thumbnail of a row is made, or `none` for a folder. */
export function rowThumbnail(row: FolderRow): ReturnType<typeof thumbnailKind> {
  return row.kind === 'folder' ? 'none' : thumbnailKind(row);
}
