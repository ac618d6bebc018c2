import { type BucketDialogServices, useBucketDialog } from './dialog-store.ts';
import { lazy, Suspense } from 'react';

const OpenDialog = lazy(async () => ({ default: (await import('./open-dialog.tsx')).OpenDialog }));

/** Draws whatever openBucketDialog asked for; loaded when first wanted. Mounted once, by the application. */
export function BucketDialogs({ services }: { readonly services: BucketDialogServices }) {
  const open = useBucketDialog();
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      <OpenDialog key={open.serial} dialog={open.dialog} services={services} />
    </Suspense>
  );
}
