import { lazy, memo, Suspense } from 'react';
import { closeLink, useOpenLink } from './link-store.ts';

const LinkDialog = lazy(async () => ({ default: (await import('./link-dialog.tsx')).LinkDialog }));

/** Renders the dialog that openLink requested. Mounted once, by the application. */
export const LinkDialogs = memo(function LinkDialogs() {
  const { request, serial } = useOpenLink();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <LinkDialog key={serial} object={request} onClose={closeLink} />
    </Suspense>
  );
});
