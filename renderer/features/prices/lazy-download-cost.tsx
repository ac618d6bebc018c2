import { lazy, Suspense } from 'react';
import type { DownloadCostProps } from './download-cost.tsx';

const Line = lazy(async () => ({ default: (await import('./download-cost.tsx')).DownloadCost }));

/** Shows the cost of downloading the selection. Its code is loaded with the first selection. */
export function LazyDownloadCost({
  of,
  onCount,
}: Pick<DownloadCostProps, 'onCount'> & { readonly of: DownloadCostProps['of'] | null }) {
  if (of === null) return null;
  return (
    <Suspense fallback={null}>
      <Line of={of} onCount={onCount} />
    </Suspense>
  );
}
