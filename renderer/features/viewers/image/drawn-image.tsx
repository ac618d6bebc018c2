import { useCallback, useState } from 'react';
import { Picture } from './stage/picture.tsx';
import { NoImage } from './parts/no-image.tsx';
import type { Size } from './stage/zoom.ts';

interface DrawnImageProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly type: string;
}

/** Shows an image that the browser engine draws. */
export function DrawnImage({ bytes, name, type }: DrawnImageProps) {
  const [failed, setFailed] = useState(false);
  const [size, setSize] = useState<Size | null>(null);
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
        onLoad={({ currentTarget }) => {
          setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
        }}
        onError={() => {
          setFailed(true);
        }}
      />
    </Picture>
  );
}
