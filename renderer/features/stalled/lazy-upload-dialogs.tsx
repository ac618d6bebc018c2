import { lazy, memo, Suspense } from 'react';
import { useOpenUploads } from './model/upload-dialog-store.ts';
import { UploadServicesProvider, type UploadServices } from './model/upload-services.ts';

const LazyDialogs = lazy(async () => ({ default: (await import('./upload-dialogs.tsx')).OpenedDialogs }));

/** Renders the open upload and the dialog that openUploadDialog requested. Mounted once, by the application. */
export const UploadDialogs = memo(function UploadDialogs({
  services,
}: {
  readonly services: UploadServices;
}) {
  const { detail, dialog, serial } = useOpenUploads();
  if (detail === null && dialog === null) return null;
  return (
    <UploadServicesProvider value={services}>
      <Suspense fallback={null}>
        <LazyDialogs detail={detail} dialog={dialog} serial={serial} />
      </Suspense>
    </UploadServicesProvider>
  );
});
