import { useBucketDialog } from './bucket-dialog-store.ts';
import { lazy, Suspense } from 'react';

const OpenDialog = lazy(async () => ({ default: (await import('./open-dialog.tsx')).OpenDialog }));

/** Renders the dialog that openBucketDialog requested. Loads it on first use. Mounted once, by the application. */
export function BucketDialogs() {
  const { request, serial } = useBucketDialog();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <OpenDialog key={serial} dialog={request} />
    </Suspense>
  );
}
