import { lazy, memo, Suspense } from 'react';
import type { VersionServices } from './version-services.ts';
import { closeTrash, useOpenTrash } from './trash-store.ts';
import { closeVersions, useOpenVersions } from './versions-store.ts';

const VersionsDialog = lazy(async () => ({
  default: (await import('./versions-dialog.tsx')).VersionsDialog,
}));

const TrashDialog = lazy(async () => ({ default: (await import('./trash-dialog.tsx')).TrashDialog }));

/** Renders the dialogs that openVersions and openTrash requested. Mounted once, by the application. */
export const VersionsDialogs = memo(function VersionsDialogs({
  services,
}: {
  readonly services: VersionServices;
}) {
  const versions = useOpenVersions();
  const trash = useOpenTrash();
  return (
    <Suspense fallback={null}>
      {versions.request === null ? null : (
        <VersionsDialog
          key={versions.serial}
          object={versions.request}
          services={services}
          onClose={closeVersions}
        />
      )}
      {trash.request === null ? null : (
        <TrashDialog key={`trash ${String(trash.serial)}`} where={trash.request} onClose={closeTrash} />
      )}
    </Suspense>
  );
});
