import type { TFunction } from 'i18next';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { BatchFacts, BatchOperation } from '../../../../shared/models/batches.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import { formatCount } from '../../../ui/words/format.ts';

/** Returns the state of an S3 Batch Operations job as text. Null if the texts for all jobs apply. */
export function batchSentence(job: Job, batch: BatchFacts, t: TFunction): string | null {
  const { seen, serviceId } = batch;
  switch (job.state) {
    case 'transferring':
      return t('jobs.batch.manifest');
    case 'preparing':
      if (serviceId !== null) return t('jobs.batch.confirming');
      return t(batch.isInDoubt ? 'jobs.batch.creatingAgain' : 'jobs.batch.creating');
    case 'aborting':
      return t('jobs.batch.cancelling');
    case 'verifying-outcome':
      return seen === null ? t('jobs.batch.asking') : t(`jobs.batch.status.${seen.status}`, numbersOf(seen));
    case 'done':
      if (seen === null) return null;
      return t('jobs.batch.complete', numbersOf(seen));
    case 'needs-attention':
      return seen === null || job.reason !== 'batch-items-failed'
        ? null
        : t('jobs.batch.completeFailed', numbersOf(seen));
    case 'cancelled':
      return seen === null || seen.total === 0 ? null : t('jobs.batch.cancelled', numbersOf(seen));
    default:
      return null;
  }
}

function numbersOf({ succeeded, total, failed }: NonNullable<BatchFacts['seen']>) {
  return { done: formatCount(succeeded), total: formatCount(total), failed: formatCount(failed) };
}

/** Returns the folder of the job's report (API_control_JobReport), or '' for the top level of the bucket. */
export function reportFolderOf({ report, serviceId }: BatchFacts): string {
  const folder = report.prefix === '' ? '' : `${report.prefix}/`;
  return serviceId === null ? folder : `${folder}job-${serviceId}/`;
}

/** Returns the operation that the job performs on each object, as text. */
export function batchOperationText(operation: BatchOperation, t: TFunction): string {
  const words = 'jobs.batch.operations';
  switch (operation.kind) {
    case 'tag':
      return t(`${words}.tag`, { tags: operation.tags.map(tagText).join(', ') });
    case 'expire':
      return t(`${words}.expire`, { tags: tagText(operation.tag) });
    case 'copy': {
      const place = `${operation.bucket}/${operation.prefix}`;
      const { storageClass } = operation;
      return storageClass === null
        ? t(`${words}.copy`, { place })
        : t(`${words}.copyClass`, { place, storageClass });
    }
    case 'restore':
      return t(`${words}.restore`, { count: operation.days, tier: operation.tier });
    default:
      return assertNever(operation);
  }
}

function tagText({ key, value }: { readonly key: string; readonly value: string }): string {
  return `${key}=${value}`;
}
