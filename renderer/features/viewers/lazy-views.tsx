import { Suspense, useEffect, useState } from 'react';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { lazyComponent, lazyPart } from '../../ui/lazy-part.tsx';
import type { PreviewDialogProps } from './preview-dialog.tsx';
import type { ThumbnailRequest } from './thumbnails/thumbnail-loader.ts';
import { thumbnailPolicy, type ThumbnailRow } from './thumbnails/thumbnail-policy.ts';
import type { ThumbnailProps } from './thumbnails/thumbnail.tsx';

// Thumbnail code is loaded on first use.
const LoadedThumbnail = lazyComponent(async () => (await import('./thumbnails/thumbnail.tsx')).Thumbnail);

/** Shows the thumbnail of an object, or the icon of its type. */
export function LazyThumbnail(props: ThumbnailProps) {
  const { row, isFolder, iconPx } = props;
  return (
    <Suspense fallback={<TypeIcon name={lastSegment(row.key)} isFolder={isFolder} size={iconPx} />}>
      <LoadedThumbnail {...props} />
    </Suspense>
  );
}

/** Shows a quick look at a row next to the list. */
export const LazyLook = lazyPart(async () => (await import('./look.tsx')).Look);

const LoadedDialog = lazyComponent(async () => (await import('./preview-dialog.tsx')).PreviewDialog);

/** Shows the preview dialog, which is loaded on first use. The dialog then stays mounted, so that closing is animated. */
export function LazyPreviewDialog(props: PreviewDialogProps) {
  const [isRequested, setRequested] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (props.objectKey !== null && !isRequested) setRequested(true);
  if (!isRequested) return null;
  return (
    <Suspense fallback={null}>
      {/* Mounted before the dialog opens. Otherwise the dialog could not restore focus when it closes. */}
      <LoadedDialog {...props} objectKey={isLoaded ? props.objectKey : null} />
      <Loaded onLoaded={setLoaded} />
    </Suspense>
  );
}

function Loaded({ onLoaded }: { readonly onLoaded: (isLoaded: true) => void }) {
  useEffect(() => {
    onLoaded(true);
  }, [onLoaded]);
  return null;
}

/** Returns whether and when a thumbnail is made for an object. With `asks`, it is made only at the user's request. */
export function thumbnailKind(row: ThumbnailRow): 'none' | 'makes' | 'asks' {
  const policy = thumbnailPolicy(row, Number.POSITIVE_INFINITY);
  return policy === 'none' || policy === 'makes' ? policy : 'asks';
}

/** Makes the thumbnails of these objects, even if reading them costs extra. */
export async function askForThumbnails(requests: readonly ThumbnailRequest[]): Promise<void> {
  const { currentLoader } = await import('./thumbnails/thumbnails.ts');
  for (const request of requests) currentLoader()?.ask(request);
}
