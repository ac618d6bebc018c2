import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { DrawnImage } from './drawn-image.tsx';
import { NoImage } from './parts/no-image.tsx';
import { svgWorkOf } from './worker/ask-image-worker.ts';
import { maxSvgWork } from './worker/svg-limits.ts';

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
