import { lazy, Suspense, type ComponentProps } from 'react';
import type { JobsPanel as Panel } from './jobs-panel.tsx';

const LazyPanel = lazy(async () => ({ default: (await import('./jobs-panel.tsx')).JobsPanel }));

/** The transfers, loaded when they are first shown. */
export function LazyJobsPanel(props: ComponentProps<typeof Panel>) {
  return (
    <Suspense fallback={null}>
      <LazyPanel {...props} />
    </Suspense>
  );
}
