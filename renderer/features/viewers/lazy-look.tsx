import { lazy, Suspense } from 'react';
import type { LookProps } from './look.tsx';

const Loaded = lazy(async () => ({ default: (await import('./look.tsx')).Look }));

/** The look is loaded when it is first wanted. */
export function Look(props: LookProps) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
