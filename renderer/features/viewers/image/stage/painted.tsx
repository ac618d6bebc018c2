import { useLayoutEffect, useRef } from 'react';
import type { DecodedPicture } from '../worker/image-messages.ts';

/** Shows an image that Cooper has decoded, on a canvas. */
export function Painted({ picture, name }: { readonly picture: DecodedPicture; readonly name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    const { width, height, rgba } = picture;
    canvas.current.width = width;
    canvas.current.height = height;
    canvas.current.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0);
  }, [picture]);
  return <canvas ref={canvas} role="img" aria-label={name} />;
}
