import { lazy, Suspense } from 'react';
import { usePickRequest } from './pick-store.ts';

const Picker = lazy(async () => ({ default: (await import('./picker-dialog.tsx')).Picker }));

/** Renders the picker for files and folders on this computer. Mounted once, by the application. */
export function FilePicker() {
  const { request, serial } = usePickRequest();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <Picker key={serial} request={request} />
    </Suspense>
  );
}
