import { failure } from '../../../shared/errors.ts';
import type { UploadJob } from './upload-job.ts';

/** Returns the failure of starting a second job for an upload. */
export function jobExists(): Error {
  return failure('conflict', 'There is a job for this upload already.', {
    reason: 'job-exists',
    retry: 'after-fix',
  });
}

/** Throws if this job prevents an abort of its upload: another abort, or a Complete request with an unknown outcome. */
export function refuseAbortBeside(job: UploadJob): void {
  if (job.kind === 'abort') throw jobExists();
  if (job.completion === null) return;
  throw failure('conflict', 'It is not known yet whether this upload was completed. Cancel its job first.', {
    reason: 'outcome-unknown',
    retry: 'after-fix',
  });
}
