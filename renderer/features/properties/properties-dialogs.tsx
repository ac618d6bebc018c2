import { lazy, memo, Suspense } from 'react';
import { closeProperties, useOpenProperties } from './properties-store.ts';

const PropertiesDialog = lazy(async () => ({
  default: (await import('./properties-dialog.tsx')).PropertiesDialog,
}));

/** Renders the dialog that openProperties requested. Mounted once, by the application. */
export const PropertiesDialogs = memo(function PropertiesDialogs({
  onShowJob,
}: {
  readonly onShowJob: (jobId: string) => void;
}) {
  const { request, serial } = useOpenProperties();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <PropertiesDialog key={serial} of={request} onShowJob={onShowJob} onClose={closeProperties} />
    </Suspense>
  );
});
