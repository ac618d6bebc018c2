import { lazy, Suspense, useEffect, useState } from 'react';
import type { LookProps } from './look.tsx';
import type { PreviewDialogProps } from './preview-dialog.tsx';

// Viewers are loaded on first use.
const LoadedLook = lazy(async () => ({ default: (await import('./look.tsx')).Look }));
const LoadedDialog = lazy(async () => ({ default: (await import('./preview-dialog.tsx')).PreviewDialog }));

/** Shows a quick look at a row next to the list. */
export function LazyLook(props: LookProps) {
  return (
    <Suspense fallback={null}>
      <LoadedLook {...props} />
    </Suspense>
  );
}

/** Shows the preview dialog, which is loaded on first use. The dialog then stays mounted, so that closing is animated. */
export function LazyPreviewDialog(props: PreviewDialogProps) {
  const [isWanted, setWanted] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (props.objectKey !== null && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense fallback={null}>
      {/* Mounted before the dialog opens. Otherwise the dialog could not restore focus when it closes. */}
      <LoadedDialog {...props} objectKey={isLoaded ? props.objectKey : null} />
      <Loaded onLoaded={setLoaded} />
    </Suspense>
  );
}

function Loaded({ onLoaded }: { readonly onLoaded: (isLoaded: true) => void }) {
  useEffect(() => {
    onLoaded(true);
  }, [onLoaded]);
  return null;
}
