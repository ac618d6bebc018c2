import { type CSSProperties, useCallback, useMemo, useState } from 'react';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ViewerFailed, ViewerLoading } from '../frame/frame.tsx';
import { useWhole, useRead } from '../frame/viewer-hooks.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { imageTypeOf } from './parts/image-type.ts';
import { maxPixels, maxSvgWork } from './worker/image-messages.ts';
import { NoImage, Picture } from './stage/picture.tsx';
import { HeicImage, type StoredImage, TiffImage } from './decoded-image.tsx';
import { isTurned, orientationMatrix, orientedSize, type Size } from './parts/orientation.ts';
import { statedSize } from './parts/stated-size.ts';
import { statedOrientation } from './worker/stated-orientation.ts';
import { svgWorkOf } from './worker/ask-image-worker.ts';

/** Shows images, decoded by the browser or by Cooper. An image element runs no script, not even that of an SVG. */
export function ImageView({ file }: ViewerProps) {
  const { data, error, refetch } = useWhole(file.source);
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  if (data === undefined) return <ViewerLoading />;
  return <ImageByType bytes={data} name={file.name} />;
}

function ImageByType({ bytes, name }: StoredImage) {
  const type = useMemo(() => imageTypeOf(bytes), [bytes]);
  const size = useMemo(() => statedSize(bytes), [bytes]);
  if (type === null) return <NoImage why="failed" />;
  if (type === 'image/heic') return <HeicImage bytes={bytes} name={name} />;
  if (type === 'image/svg+xml') return <SvgImage bytes={bytes} name={name} />;
  if (type === 'image/tiff') return <TiffImage bytes={bytes} name={name} />;
  // Checked before the browser decodes the image, since a small file may claim any size. If no size can be read, the browser
  // shows or refuses the file.
  if (size !== null && size.width * size.height > maxPixels) return <NoImage why="pixels" />;
  return <DrawnImage bytes={bytes} name={name} type={type} />;
}

/** Shows an SVG if a worker estimates that drawing it will not block the window. */
function SvgImage({ bytes, name }: StoredImage) {
  const { data } = useRead(async (signal) => await svgWorkOf(bytes, signal));
  if (data === undefined) return <ViewerLoading />;
  if (data > maxSvgWork) return <NoImage why="work" />;
  return <DrawnImage bytes={bytes} name={name} type="image/svg+xml" />;
}

/** Shows an image that the browser decodes. */
function DrawnImage({ bytes, name, type }: StoredImage & { readonly type: string }) {
  const [failed, setFailed] = useState(false);
  const [stored, setStored] = useState<Size | null>(null);
  const { orientation, isApplied } = useMemo(() => statedOrientation(bytes, type), [bytes, type]);
  const turn = isApplied ? 1 : orientation;
  const size = stored === null ? null : orientedSize(stored, turn);
  const draw = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [bytes, type],
  );
  if (failed) return <NoImage why="failed" />;
  return (
    <Picture bytes={bytes} name={name} size={size} isDrawing={type === 'image/svg+xml'}>
      <img
        ref={draw}
        alt={name}
        draggable={false}
        data-clear={type !== 'image/jpeg'}
        style={turn === 1 || size === null ? {} : turnedStyle(turn, size)}
        onLoad={({ currentTarget }) =>
          setStored({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
        }
        onError={() => setFailed(true)}
      />
    </Picture>
  );
}

/** Fills a box of the shown size with an image that the engine leaves as stored. */
function turnedStyle(orientation: number, { width, height }: Size): CSSProperties {
  const [a, b, c, d] = orientationMatrix(orientation, { width, height });
  const matrix = [a, b, c, d, 0, 0].join(',');
  const share = isTurned(orientation) ? width / height : 1;
  return {
    position: 'absolute',
    top: '50%',
    left: '50%',
    width: `${String(100 / share)}%`,
    height: `${String(100 * share)}%`,
    transform: `translate(-50%, -50%) matrix(${matrix})`,
  };
}
