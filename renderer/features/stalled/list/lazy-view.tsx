import { lazy, Suspense, type ComponentProps } from 'react';
import type { UploadsView as View } from './uploads-view.tsx';

const LazyView = lazy(async () => ({ default: (await import('./uploads-view.tsx')).UploadsView }));

/** The stalled uploads, loaded when they are first shown. */
export function UploadsView(props: ComponentProps<typeof View>) {
  return (
    <Suspense fallback={null}>
      <LazyView {...props} />
    </Suspense>
  );
}
