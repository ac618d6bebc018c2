import { lazy, Suspense, type ComponentProps } from 'react';
import type { StalledView as View } from './uploads-view.tsx';

const LazyView = lazy(async () => ({ default: (await import('./uploads-view.tsx')).StalledView }));

/** The stalled uploads, loaded when they are first shown. */
export function LazyStalledView(props: ComponentProps<typeof View>) {
  return (
    <Suspense fallback={null}>
      <LazyView {...props} />
    </Suspense>
  );
}
