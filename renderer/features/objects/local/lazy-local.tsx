import { lazy, Suspense } from 'react';
import type { LocalPageProps } from './local-page.tsx';

const LazyLocal = lazy(async () => ({ default: (await import('./local-page.tsx')).LocalPage }));

/** A folder of this computer: loaded when the first one is opened. */
export function LazyLocalPage(props: LocalPageProps) {
  return (
    <Suspense fallback={null}>
      <LazyLocal {...props} />
    </Suspense>
  );
}
