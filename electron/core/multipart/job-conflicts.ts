import { failure } from '../../../shared/errors.ts';
import type { UploadJob } from './upload-job.ts';

/** An upload has one job at a time. */
export function jobExists(): Error {
  return failure('conflict', 'There is a job for this upload already.', {
    reason: 'job-exists',
    retry: 'after-fix',
  });
}

/** Throws if this job keeps its upload from being aborted: another abort, or a Complete with an unknown outcome. */
export function refuseAbortBeside(job: UploadJob): void {
  if (job.kind === 'abort') throw jobExists();
  if (job.completion === null) return;
  throw failure('conflict', 'It is not known yet whether this upload was completed. Cancel its job first.', {
    reason: 'outcome-unknown',
    retry: 'after-fix',
  });
}
