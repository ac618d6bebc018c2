import { lazy, Suspense } from 'react';
import { useUploadQuestion } from './upload-options-store.ts';

const Options = lazy(async () => ({ default: (await import('./upload-options-dialog.tsx')).UploadOptions }));

/** Renders the dialog that openUploadOptions requested. Mounted once, by the application. */
export function UploadOptionsDialog() {
  const question = useUploadQuestion();
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      <Options question={question} />
    </Suspense>
  );
}
