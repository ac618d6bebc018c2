import type { ComponentType } from 'react';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';

export interface RowThumbnailProps {
  readonly place: FolderPlace;
  readonly row: FolderRow;
  readonly isFolder: boolean;
  /** Rows out of sight are not requested. */
  readonly isInSight: boolean;
  /** The size of the icon shown without a thumbnail. */
  readonly iconPx: number;
  /** Within an option, which can have no button. */
  readonly isOption: boolean;
}

/** Thumbnails of objects, from another feature. The application passes them in with a permanent identity. */
export interface RowThumbnails {
  readonly Thumbnail: ComponentType<RowThumbnailProps>;
  /** `asks`: made only on request, since reading the object costs money or it is archived. */
  readonly kindOf: (row: FolderRow) => 'none' | 'makes' | 'asks';
  readonly ask: (place: FolderPlace, rows: readonly FolderRow[]) => void;
}
