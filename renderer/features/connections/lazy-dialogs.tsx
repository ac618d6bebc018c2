import { lazy, Suspense } from 'react';
import { useConnectionDialog } from './dialog-store.ts';

const LazyDialog = lazy(async () => ({
  default: (await import('./connection-dialogs.tsx')).ConnectionDialog,
}));

/** Draws whatever openConnectionDialog asked for. Mounted once, by the application. */
export function ConnectionDialogs() {
  const open = useConnectionDialog();
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      <LazyDialog key={open.serial} request={open.request} />
    </Suspense>
  );
}
