import type { Job, JobReason } from '../../../../shared/models/jobs.ts';
import { groupOf } from './job-progress.ts';

export type JobAction =
  'pause' | 'resume' | 'retryNow' | 'lookNow' | 'runFirst' | 'runLast' | 'cancel' | 'clear';

/** The reasons for which a stopped job may succeed on a retry, once the cause is gone. */
const retryable: ReadonlySet<JobReason> = new Set([
  'access-denied',
  'needs-new-keys',
  'connection-missing',
  'disk-full',
  'quota-full',
  'file-missing',
  'file-unreadable',
  'refused',
  'outcome-unclear',
  'parts-changed',
  'parts-rejected',
  'object-unreadable',
  'upload-contradicted',
  'not-carried-out',
  'not-sent',
  'items-failed',
  'program-fault',
  'manifest-taken',
]);

/** Returns the actions that a job permits in its current state. */
export function jobActionsFor(
  job: Pick<Job, 'state' | 'reason' | 'pauseRequested'> &
    Partial<Pick<Job, 'retryAt' | 'wait' | 'waitsFor' | 'batch'>>,
): readonly JobAction[] {
  const group = groupOf(job.state);
  switch (group) {
    case 'running':
    case 'waiting': {
      const pause: readonly JobAction[] = isAtService(job) ? [] : job.pauseRequested ? ['resume'] : ['pause'];
      // After a failed CompleteMultipartUpload, Cooper first checks whether it took effect. This check may also wait for a long
      // time.
      const waits =
        job.state === 'retry-scheduled' ||
        job.wait !== undefined ||
        (job.state === 'verifying-outcome' && typeof job.retryAt === 'string');
      // A job that waits for the service offers to check now instead of a retry, since it may not repeat its request early.
      const isLook = job.waitsFor !== undefined && (waits || job.waitsFor === 'complete-answer');
      const retry: readonly JobAction[] = isLook ? ['lookNow'] : waits ? ['retryNow'] : [];
      const reorder: readonly JobAction[] = job.state === 'waiting' ? ['runFirst', 'runLast'] : [];
      return [...retry, ...reorder, ...pause, 'cancel'];
    }
    case 'resting':
      return ['resume', 'cancel'];
    case 'attention':
      if (job.reason === 'batch-items-failed' || job.reason === 'batch-failed') return ['clear'];
      if (job.reason === 'batch-confirm') return ['lookNow', 'cancel', 'clear'];
      return job.reason !== null && retryable.has(job.reason)
        ? ['retryNow', 'cancel', 'clear']
        : ['cancel', 'clear'];
    default:
      return ['clear'];
  }
}

/** Returns true if the service runs or may be running the job, so that it cannot be paused. */
function isAtService({ state, batch }: Pick<Job, 'state'> & Partial<Pick<Job, 'batch'>>): boolean {
  return batch !== undefined && (state === 'preparing' || batch.serviceId !== null || batch.isInDoubt);
}

/** Returns true if the job has left files on this computer. */
export function hasResults({ kind, state }: Pick<Job, 'kind' | 'state'>): boolean {
  return kind === 'download' && state === 'done';
}

/** Returns true if the job did not fail but waits for the user's decision. */
export function isQuestion({ reason }: Pick<Job, 'reason'>): boolean {
  return reason === 'conflicts' || reason === 'hidden-files';
}

function isDenied({ reason, error }: Pick<Job, 'reason'> & Partial<Pick<Job, 'error'>>): boolean {
  return reason === 'access-denied' || (reason === 'items-failed' && error?.code === 'access-denied');
}

/** A way for the user to fix a stopped job, other than a retry. For a finished download, it shows the files. */
export type Remedy =
  | 'answer-conflicts'
  | 'edit-connection'
  | 'give-file'
  | 'open-upload'
  | 'replace'
  | 'show-object'
  | 'upload-again'
  | 'run-batch'
  | 'show-report'
  | 'show-in-folder';

export function remedyFor(
  job: Pick<Job, 'kind' | 'state' | 'reason' | 'items'> & Partial<Pick<Job, 'error'>>,
): Remedy | null {
  if (hasResults(job)) return 'show-in-folder';
  if (job.state !== 'paused' && job.state !== 'needs-attention') return null;
  // The remedies below apply to one file or one stalled upload, not to a transfer of many files.
  if (job.items !== undefined && !isQuestion(job))
    return job.reason === 'needs-new-keys' || isDenied(job) ? 'edit-connection' : null;
  switch (job.reason) {
    case 'conflicts':
    case 'hidden-files':
      return 'answer-conflicts';
    case 'needs-new-keys':
    case 'access-denied':
      return 'edit-connection';
    case 'file-wanted':
    case 'file-missing':
    case 'wrong-file':
      return 'give-file';
    case 'cannot-complete':
    case 'parts-changed':
    case 'parts-rejected':
    case 'upload-contradicted':
    case 'file-changed':
      return 'open-upload';
    case 'batch-confirm':
      return 'run-batch';
    case 'batch-failed':
    case 'batch-items-failed':
      return 'show-report';
    case 'subset-refused':
      return 'upload-again';
    case 'refused':
      // All parts must be as large as the stored parts, so only a new upload can stay within the limit.
      return job.error?.reason === 'part-too-large' || job.error?.reason === 'too-many-parts'
        ? 'upload-again'
        : null;
    case 'target-changed':
      return 'replace';
    case 'outcome-unclear':
    case 'object-unreadable':
    case 'not-carried-out':
    case 'overwritten':
    case 'upload-gone':
    case 'lost':
      return 'show-object';
    default:
      return null;
  }
}
