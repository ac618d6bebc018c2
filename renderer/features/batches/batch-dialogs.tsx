import { lazy, memo, Suspense } from 'react';
import type { BatchServices } from './batch-props.ts';
import { closeBatch, useOpenBatch } from './batch-store.ts';

const BatchDialog = lazy(async () => ({ default: (await import('./batch-dialog.tsx')).BatchDialog }));

/** Renders the dialog that openBatch requested. Mounted once, by the application. */
export const BatchDialogs = memo(function BatchDialogs({ services }: { readonly services: BatchServices }) {
  const { request, serial } = useOpenBatch();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <BatchDialog key={serial} chosen={request} services={services} onClose={closeBatch} />
    </Suspense>
  );
});
