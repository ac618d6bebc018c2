import { lazy, memo, Suspense } from 'react';
import type { VersionServices } from './version-services.ts';
import { closeVersions, useOpenVersions } from './versions-store.ts';

const VersionsDialog = lazy(async () => ({
  default: (await import('./versions-dialog.tsx')).VersionsDialog,
}));

/** Renders the dialog that openVersions requested. Mounted once, by the application. */
export const VersionsDialogs = memo(function VersionsDialogs({
  services,
}: {
  readonly services: VersionServices;
}) {
  const { request, serial } = useOpenVersions();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <VersionsDialog key={serial} object={request} services={services} onClose={closeVersions} />
    </Suspense>
  );
});
