import { lazy, Suspense } from 'react';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { TypeIcon } from '../../../ui/cells/type-icon.tsx';
import type { ThumbnailProps } from './thumbnail.tsx';

// Thumbnail code is loaded on first use.
const Loaded = lazy(async () => ({ default: (await import('./thumbnail.tsx')).Thumbnail }));

/** Shows the thumbnail of an object, or the icon of its type. */
export function LazyThumbnail(props: ThumbnailProps) {
  const { row, isFolder, iconPx } = props;
  return (
    <Suspense fallback={<TypeIcon name={lastSegment(row.key)} isFolder={isFolder} size={iconPx} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
