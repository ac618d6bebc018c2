import { Suspense } from 'react';
import { assertNever } from '../../../../shared/assert-never.ts';
import { LoadingRows } from './folder-states.tsx';
import { FolderTable, type FolderTableProps } from '../list/folder-table.tsx';
import type { RowView } from '../views/folder-views.ts';
import { galleryLines } from '../gallery/gallery-lines.ts';
import type { FolderPlace } from '../rows/place.ts';
import { listLines, type Lines } from '../views/use-viewport.ts';
import { lazyComponent } from '../../../ui/lazy-part.tsx';

// Loaded on demand, since most windows never show a gallery.
const Gallery = lazyComponent(async () => (await import('../gallery/gallery.tsx')).Gallery);

interface FolderRowsProps extends FolderTableProps {
  readonly view: RowView;
  readonly tilePx: number;
  readonly place: FolderPlace;
}

/** Returns how a view arranges the rows of a folder in lines. */
export function rowsPerLine(view: RowView, widthPx: number, tilePx: number): Lines {
  switch (view) {
    case 'list':
      return listLines;
    case 'gallery':
      return galleryLines(widthPx, tilePx);
    default:
      return assertNever(view);
  }
}

/** The rows of a folder in the chosen view. */
export function FolderRows({ view, tilePx, place, ...props }: FolderRowsProps) {
  switch (view) {
    case 'list':
      return <FolderTable {...props} />;
    case 'gallery':
      return (
        <Suspense fallback={<LoadingRows />}>
          <Gallery {...props} tilePx={tilePx} place={place} />
        </Suspense>
      );
    default:
      return assertNever(view);
  }
}
