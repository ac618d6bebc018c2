import type { Job } from '../../../shared/models/jobs.ts';

/** The system notification of a job that came to rest; null where none is due. Told once for each job. */
export function settledNotice(job: Job): { readonly title: string; readonly body: string } | null {
  const name = job.key.split('/').findLast((segment) => segment !== '') ?? job.key;
  if (job.items !== undefined) return transferNotice(job);
  if (job.batch !== undefined) return batchNotice(job, job.batch);
  switch (job.state) {
    case 'done':
      return job.kind === 'abort'
        ? { title: 'Upload removed', body: `The unfinished upload of ${name} is gone from ${job.bucket}.` }
        : { title: 'Upload finished', body: `${name} is now in ${job.bucket}.` };
    case 'paused':
      return { title: 'Upload paused', body: `${name} waits for you: open Cooper to see why.` };
    case 'needs-attention':
      return {
        title: 'Upload needs you',
        body: `${name} could not be finished by itself. Open Cooper to see why.`,
      };
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

function batchNotice(
  job: Job,
  { seen }: NonNullable<Job['batch']>,
): { readonly title: string; readonly body: string } | null {
  if (job.state === 'done')
    return { title: 'Batch job finished', body: `AWS went through the objects of ${job.bucket}.` };
  if (job.reason === 'batch-items-failed') {
    const failed = seen?.failed ?? 0;
    const body = `${failed} ${failed === 1 ? 'object' : 'objects'} of ${job.bucket} failed. The report names what failed.`;
    return { title: 'Batch job finished with failures', body };
  }
  if (job.state === 'paused')
    return { title: 'Batch job paused', body: `${job.bucket} waits for you: open Cooper to see why.` };
  if (job.state === 'needs-attention')
    return { title: 'Batch job needs you', body: `Open Cooper to see what ${job.bucket} waits for.` };
  return null;
}

const nouns: Readonly<Record<Job['kind'], string>> = {
  complete: 'Upload',
  resume: 'Upload',
  abort: 'Upload',
  upload: 'Upload',
  download: 'Download',
  copy: 'Copy',
  move: 'Move',
  delete: 'Deletion',
  change: 'Change',
  'abort-many': 'Abort of uploads',
  'complete-many': 'Completion of uploads',
  'resume-many': 'Upload',
  batch: 'Batch job',
};

function transferNotice(job: Job): { readonly title: string; readonly body: string } | null {
  const first = job.fileName ?? job.key;
  const isOne = job.moreChosen === undefined;
  const name = isOne ? first : `${first} and ${job.moreChosen} more`;
  const what = nouns[job.kind];
  if (job.state === 'done')
    return {
      title: `${what} finished`,
      body: `${name} ${isOne ? 'is' : 'are'} ${job.kind === 'delete' || job.kind === 'abort-many' ? 'gone' : 'there'}.`,
    };
  if (job.state === 'paused')
    return {
      title: `${what} paused`,
      body: `${name} ${isOne ? 'waits' : 'wait'} for you: open Cooper to see why.`,
    };
  if (job.state === 'needs-attention')
    return {
      title: `${what} needs you`,
      body: `Something of ${name} wants your decision. Open Cooper to see what.`,
    };
  return null;
}
