import { lazy, memo, Suspense } from 'react';
import type { ShowMap } from './report-dialog.tsx';
import { closeReport, useOpenReport } from './report-store.ts';

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));

/** Renders the dialog that openReport requested. Mounted once, by the application. */
export const InventoryDialogs = memo(function InventoryDialogs({
  onShowMap,
}: {
  readonly onShowMap: ShowMap;
}) {
  const { request, serial } = useOpenReport();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <ReportDialog key={serial} report={request} onShowMap={onShowMap} onClose={closeReport} />
    </Suspense>
  );
});
