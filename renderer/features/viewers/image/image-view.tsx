import { imageSize } from 'image-size';
import { useMemo } from 'react';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ViewerLoading, ViewerFailed } from '../frame/frame.tsx';
import { useWhole } from '../frame/viewer-hooks.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { imageTypeOf } from './parts/image-type.ts';
import { maxPixels } from './worker/image-messages.ts';
import { NoImage } from './stage/picture.tsx';
import { SvgImage, DrawnImage } from './drawn-image.tsx';
import { TiffImage, HeicImage } from './decoded-image.tsx';

/** Shows images, decoded by the browser or by Cooper. An image element runs no script, not even that of an SVG. */
export function ImageView({ file }: ViewerProps) {
  const { data, error, refetch } = useWhole(file.source);
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  if (data === undefined) return <ViewerLoading />;
  return <ImageByType bytes={data} name={file.name} />;
}

function ImageByType({ bytes, name }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }) {
  const type = useMemo(() => imageTypeOf(bytes), [bytes]);
  const size = useMemo(() => sizeOf(bytes), [bytes]);
  if (type === null) return <NoImage why="failed" />;
  if (type === 'image/heic') return <HeicImage bytes={bytes} name={name} />;
  if (type === 'image/svg+xml') return <SvgImage bytes={bytes} name={name} />;
  if (type === 'image/tiff') return <TiffImage bytes={bytes} name={name} />;
  // Checked before the browser decodes the image, since a small file may claim any size.
  if (size !== null && size.width * size.height > maxPixels) return <NoImage why="pixels" />;
  return <DrawnImage bytes={bytes} name={name} type={type} />;
}

/** Returns the size stated in the header, or null if the header cannot be read. */
function sizeOf(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  try {
    return imageSize(bytes);
  } catch {
    // Lets the browser decide whether the file is an image.
    return null;
  }
}
