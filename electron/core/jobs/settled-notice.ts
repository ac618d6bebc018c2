import { lastSegment } from '../../../shared/keys/paths.ts';
import { workOf } from '../../../shared/models/job-kinds.ts';
import { hasDoneNothing } from '../../../shared/models/job-results.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import type { JobNotice } from '../ports.ts';

/** Returns the notice that a job came to rest; null if none is due. */
export function settledNotice(job: Job): JobNotice | null {
  const state = stateOf(job);
  if (state === null) return null;
  const { bucket, fileName, key, moreChosen = 0 } = job;
  const transferName = job.items === undefined ? null : fileName;
  const name = transferName ?? (key === '' ? bucket : lastSegment(key) || key);
  const failed = job.reason === 'batch-items-failed' ? (job.batch?.seen?.failed ?? 0) : 0;
  return { state, work: workOf(job), name, others: moreChosen, bucket, failed };
}

function stateOf(job: Job): JobNotice['state'] | null {
  switch (job.state) {
    case 'done':
      return hasDoneNothing(job) ? 'nothing-done' : 'done';
    case 'paused':
      return 'paused';
    case 'needs-attention':
      return 'attention';
    case 'waiting':
    case 'listing-parts':
    case 'verifying-parts':
    case 'sending-parts':
    case 'completing':
    case 'verifying-outcome':
    case 'aborting':
    case 'preparing':
    case 'transferring':
    case 'retry-scheduled':
    case 'cancelled':
      return null;
    default:
      return job.state satisfies never;
  }
}
