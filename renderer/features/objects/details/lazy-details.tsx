import { lazy, Suspense } from 'react';
import type { DetailsPaneProps } from './details-pane.tsx';

const LazyDetails = lazy(async () => ({ default: (await import('./details-pane.tsx')).DetailsPane }));

/** The details of a folder, loaded when first shown. */
export function LazyDetailsPane(props: DetailsPaneProps) {
  return (
    <Suspense fallback={null}>
      <LazyDetails {...props} />
    </Suspense>
  );
}
