import { failure } from '../../../shared/errors.ts';
import type { UploadJob } from './upload-job.ts';

/** Returns the error for a second job on the same upload. */
export function jobExists(): Error {
  return failure('conflict', 'There is a job for this upload already.', {
    reason: 'job-exists',
    retry: 'after-fix',
  });
}

/**
 * Throws if the job prevents an abort of its upload: the job is an abort itself, or its Complete request has an unknown outcome.
 */
export function refuseAbortBeside(job: UploadJob): void {
  if (job.kind === 'abort') throw jobExists();
  if (job.completion === null) return;
  throw failure('conflict', "The outcome of this upload's completion is unknown. Cancel its job first.", {
    reason: 'outcome-unknown',
    retry: 'after-fix',
  });
}
