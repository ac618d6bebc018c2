import { lazy, Suspense } from 'react';
import type { MapPageProps } from './map-page.tsx';

const LazyMap = lazy(async () => ({ default: (await import('./map-page.tsx')).MapPage }));

/** The map of a folder: loaded when it is first wanted. */
export function MapView(props: MapPageProps) {
  return (
    <Suspense fallback={null}>
      <LazyMap {...props} />
    </Suspense>
  );
}
