import { lazy, memo, Suspense } from 'react';
import { closeBatch, useOpenBatch } from './batch-store.ts';

const BatchDialog = lazy(async () => ({ default: (await import('./batch-dialog.tsx')).BatchDialog }));

/** Renders the dialog that openBatch requested. Mounted once, by the application. */
export const BatchDialogs = memo(function BatchDialogs({
  onShowJob,
}: {
  readonly onShowJob: (jobId: string) => void;
}) {
  const { request, serial } = useOpenBatch();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <BatchDialog key={serial} chosen={request} onShowJob={onShowJob} onClose={closeBatch} />
    </Suspense>
  );
});
