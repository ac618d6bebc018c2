import { lazy, Suspense } from 'react';
import { useConnectionDialog } from './model/connection-dialog-store.ts';

const LazyDialog = lazy(async () => ({
  default: (await import('./connection-dialogs.tsx')).ConnectionDialog,
}));

/** Renders the dialog that openConnectionDialog requested. Mounted once, by the application. */
export function ConnectionDialogs() {
  const { request, serial } = useConnectionDialog();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <LazyDialog key={serial} request={request} />
    </Suspense>
  );
}
