import { lazy, Suspense } from 'react';
import { useBucketDialog } from './dialog-store.ts';

const OpenDialog = lazy(async () => ({ default: (await import('./open-dialog.tsx')).OpenDialog }));

/** What these dialogs need of the rest of the window; the application hands it in. */
export interface BucketDialogServices {
  /** Opens the transfers at this job. */
  readonly showJob: (jobId: string) => void;
}

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
