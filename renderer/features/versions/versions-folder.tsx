import { lazy, Suspense } from 'react';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { VersionServices } from './version-services.ts';

const VersionsView = lazy(async () => ({ default: (await import('./versions-view.tsx')).VersionsView }));

interface VersionsFolderProps {
  readonly place: { readonly connectionId: string; readonly bucket: string; readonly prefix: string };
  readonly services: VersionServices;
  readonly onHide: () => void;
}

/** Shows a folder's versions and delete markers instead of its objects. */
export function VersionsFolder({ place, services, onHide }: VersionsFolderProps) {
  const { bucket, prefix } = place;
  return (
    <Suspense fallback={null}>
      <VersionsView
        key={JSON.stringify(place)}
        where={{ ...place, delimiter: '/' }}
        name={prefix === '' ? bucket : lastSegment(prefix)}
        services={services}
        onHide={onHide}
      />
    </Suspense>
  );
}
