import { lazy, memo, Suspense } from 'react';
import type { InventoryServices } from './inventory-services.ts';
import { closeReport, useOpenReport } from './report-store.ts';

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));

/** Renders the dialog that openReport requested. Mounted once, by the application. */
export const InventoryDialogs = memo(function InventoryDialogs({
  services,
}: {
  readonly services: InventoryServices;
}) {
  const { request, serial } = useOpenReport();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <ReportDialog key={serial} report={request} services={services} onClose={closeReport} />
    </Suspense>
  );
});
