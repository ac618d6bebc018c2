import { lazy, Suspense } from 'react';
import { useConflictsJob } from './conflicts-store.ts';

const Conflicts = lazy(async () => ({ default: (await import('./conflicts-dialog.tsx')).Conflicts }));

/** Renders the questions that openConflicts requested. Mounted once, by the application. */
export function ConflictsDialog() {
  const jobId = useConflictsJob();
  if (jobId === null) return null;
  return (
    <Suspense fallback={null}>
      <Conflicts key={jobId} jobId={jobId} />
    </Suspense>
  );
}
