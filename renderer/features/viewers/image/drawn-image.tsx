import { type CSSProperties, useCallback, useId, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ViewerLoading } from '../frame/frame.tsx';
import { isTurned, orientationMatrix, orientedSize, type Size } from './parts/orientation.ts';
import { NoImage, Picture } from './stage/picture.tsx';
import { statedOrientation } from './worker/stated-orientation.ts';
import { svgWorkOf } from './worker/ask-image-worker.ts';
import { maxSvgWork } from './worker/image-messages.ts';

interface SvgImageProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
}

/** Shows an SVG if a worker estimates that drawing it will not block the window. */
export function SvgImage({ bytes, name }: SvgImageProps) {
  const id = useId();
  const { data } = useQuery({
    queryKey: ['viewer-svg-work', id],
    queryFn: async ({ signal }) => await svgWorkOf(bytes, signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
  if (data === undefined) return <ViewerLoading />;
  if (data > maxSvgWork) return <NoImage why="work" />;
  return <DrawnImage bytes={bytes} name={name} type="image/svg+xml" />;
}

interface DrawnImageProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly type: string;
}

/** Shows an image that the browser decodes. */
export function DrawnImage({ bytes, name, type }: DrawnImageProps) {
  const [failed, setFailed] = useState(false);
  const [stored, setStored] = useState<Size | null>(null);
  const { orientation, isApplied } = useMemo(() => statedOrientation(bytes, type), [bytes, type]);
  const turn = isApplied ? 1 : orientation;
  const size = stored === null ? null : orientedSize(stored, turn);
  const draw = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      image.src = address;
      return () => {
        URL.revokeObjectURL(address);
      };
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
        onLoad={({ currentTarget }) => {
          setStored({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
        }}
        onError={() => {
          setFailed(true);
        }}
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
