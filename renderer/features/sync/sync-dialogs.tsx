import { lazy, memo, Suspense } from 'react';
import type { SyncServices } from './sync-services.ts';
import { closeSync, useOpenSync } from './sync-store.ts';

const SyncDialog = lazy(async () => ({ default: (await import('./sync-dialog.tsx')).SyncDialog }));

/** Renders the dialog that openSync requested. Mounted once, by the application. */
export const SyncDialogs = memo(function SyncDialogs({ services }: { readonly services: SyncServices }) {
  const { request, serial } = useOpenSync();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <SyncDialog key={serial} {...request} services={services} onClose={closeSync} />
    </Suspense>
  );
});
