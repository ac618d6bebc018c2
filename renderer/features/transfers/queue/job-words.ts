import type { TFunction } from 'i18next';
import { assertNever } from '../../../../shared/assert-never.ts';
import { nameOfKey } from '../../../../shared/keys/paths.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { workOf } from '../../../../shared/models/job-kinds.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import catalogue from '../../../../shared/messages/en/jobs.json' with { type: 'json' };
import type { BatchFacts, BatchOperation } from '../../../../shared/models/batches.ts';
import { isKeyOf } from '../../../ui/words/error-words.ts';
import {
  formatSpan,
  formatBytes,
  formatCount,
  formatDate,
  formatTimeOfDay,
} from '../../../ui/words/format.ts';
import { cancelledSentence, doneSentence, failedAdvice, failedSentence, reasonText } from './result-words.ts';

/** Returns a clause about the error, for use within another sentence. */
export function shortWhy(error: AppError | null, t: TFunction): string {
  const code = error?.code ?? 'other';
  // A retry of damaged data is not its last attempt, which is what the text of its reason is about.
  const reasonClause = error === null || code === 'damaged' ? null : reasonText(error, t);
  return reasonClause ?? t(`jobs.shortWhy.${isKeyOf(catalogue.shortWhy, code) ? code : 'other'}`);
}

/** Returns what the job does or waits for, and whether its items have notes. Waiting times are relative to `nowMs`. */
export function jobSentence(job: Job, nowMs: number, t: TFunction): string {
  const sentence = stateSentence(job, nowMs, t);
  const amount = job.items?.noted ?? 0;
  const isOver = job.state === 'done' || job.state === 'cancelled';
  return isOver && amount > 0 ? t('jobs.noted', { sentence, count: amount }) : sentence;
}

function stateSentence(job: Job, nowMs: number, t: TFunction): string {
  const words = 'jobs.state';
  if (job.wait !== undefined) return waitSentence(job.wait, nowMs, t);
  const batchText = job.batch === undefined ? null : batchSentence(job, job.batch, t);
  if (batchText !== null) return batchText;
  switch (job.state) {
    case 'waiting':
    case 'listing-parts':
    case 'verifying-parts':
    case 'sending-parts':
      return job.pauseRequested ? t(`${words}.pausing`) : t(`${words}.${job.state}`);
    case 'transferring':
      if (job.pauseRequested) return t(`${words}.pausing`);
      if (job.kind === 'abort-many') return t(`${words}.aborting-many`);
      if (job.kind === 'complete-many') return t(`${words}.completing-many`);
      return t(`${words}.${job.waitsFor === 'complete-answer' ? 'transferring-silent' : 'transferring'}`);
    case 'preparing':
      return t(job.partsDone > 0 ? `${words}.preparing-and-transferring` : `${words}.preparing`);
    case 'aborting':
      if (job.items === undefined) return t(`${words}.aborting`);
      return t(job.kind === 'download' ? `${words}.removing-half-files` : `${words}.undoing`);
    case 'completing':
      return t(`${words}.${completingWords(job)}`, { span: formatSpan(nowMs - Date.parse(job.stateSince)) });
    case 'verifying-outcome':
      if (job.waitsFor !== undefined && job.waitsFor !== 'complete-answer')
        return t(`${words}.waits-${job.waitsFor}`, {
          time: formatTimeOfDay(job.waitsUntil ?? job.retryAt ?? job.updatedAt),
          span: formatSpan(job.retryAt === null ? 0 : Date.parse(job.retryAt) - nowMs),
        });
      if (isPostponed(job)) return retrySentence(job, nowMs, t);
      return job.pauseRequested ? t(`${words}.pausing`) : t(`${words}.verifying-outcome`);
    case 'retry-scheduled':
      return retrySentence(job, nowMs, t);
    case 'paused':
      return job.reason === null
        ? t(`${words}.paused`)
        : t(`${words}.paused-why`, { why: t(`jobs.reasons.${job.reason}.why`) });
    case 'needs-attention': {
      const failed = failedSentence(job, t);
      if (failed !== null) return failed;
      const work = workOf(job);
      // The messages explain failed items specifically for some kinds of jobs.
      if (job.reason === 'items-failed' && isKeyOf(catalogue.manyReasons, work))
        return t(`${words}.attention`, { why: t(`jobs.manyReasons.${work}`) });
      if (job.reason === 'conflicts' || job.reason === 'hidden-files')
        return t(`jobs.asks.${askWords(job)}`, { count: job.items?.asking ?? 1 });
      return job.reason === null
        ? t(`${words}.attention-plain`)
        : t(`${words}.attention`, { why: t(`jobs.reasons.${job.reason}.why`) });
    }
    case 'done':
      return doneSentence(job, t);
    case 'cancelled':
      return job.outcome === null ? cancelledSentence(job, t) : doneSentence(job, t);
    default:
      return assertNever(job.state);
  }
}

function askWords({ kind, reason }: Job): 'hidden' | 'file' | 'object' {
  if (reason === 'hidden-files') return 'hidden';
  return kind === 'download' ? 'file' : 'object';
}

function completingWords(job: Job): 'completing' | 'completing-pause' | 'completing-silent' {
  if (job.pauseRequested) return 'completing-pause';
  return job.waitsFor === 'complete-answer' ? 'completing-silent' : 'completing';
}

/** Returns true if the service responded to CompleteMultipartUpload with an error after which Cooper retries later. */
function isPostponed(job: Job): boolean {
  return job.retryAt !== null && (job.error?.code === 'rate-limited' || job.error?.code === 'server');
}

/** Returns the text for a running job to which the service has responded with a request to wait. */
function waitSentence(wait: NonNullable<Job['wait']>, nowMs: number, t: TFunction): string {
  const leftMs = Math.max(0, Date.parse(wait.until) - nowMs);
  return t('jobs.state.held', { span: formatSpan(leftMs), why: shortWhy(wait.error, t) });
}

function retrySentence(job: Job, nowMs: number, t: TFunction): string {
  const why = shortWhy(job.error, t);
  const leftMs = job.retryAt === null ? 0 : Date.parse(job.retryAt) - nowMs;
  return leftMs > 0
    ? t('jobs.state.retry-scheduled', { span: formatSpan(leftMs), why })
    : t('jobs.state.retry-now', { why });
}

/** Explains why a job waits for the service. Returns null for any other job. */
function waitExplained({ state, waitsFor }: Job, t: TFunction): string | null {
  const isOpen = state === 'verifying-outcome' || state === 'completing' || state === 'transferring';
  return waitsFor === undefined || !isOpen ? null : t(`jobs.waits.${waitsFor}`);
}

/**
 * Returns what a job's state means for the data, and what the user can do. Null while all is well, or if the user paused the job.
 */
export function adviceFor(job: Job, t: TFunction): string | null {
  const waiting = waitExplained(job, t);
  if (waiting !== null) return waiting;
  if (job.state !== 'paused' && job.state !== 'needs-attention') return null;
  if (job.reason === null) return null;
  if (job.reason === 'items-failed' && job.error !== null) return failedAdvice(job, t);
  const body =
    job.items !== undefined && isKeyOf(catalogue.transferReasons, job.reason)
      ? t(`jobs.transferReasons.${job.reason}`)
      : t(`jobs.reasons.${job.reason}.body`);
  if (job.partNumbers.length === 0) return body;
  const shown = job.partNumbers.slice(0, 8).map((part) => formatCount(part));
  const parts = job.partNumbers.length > shown.length ? `${shown.join(', ')} …` : shown.join(', ');
  return `${body} ${t('jobs.reasonParts', { count: job.partNumbers.length, parts })}`;
}

/** Describes the existing object at the upload's key, and what happens to it when the upload completes. */
export function replaceSentence({ inTheWay }: Pick<Job, 'inTheWay'>, t: TFunction): string {
  const words = 'jobs.replaceDialog';
  switch (inTheWay?.kind) {
    case 'present': {
      const bytes = formatBytes(inTheWay.sizeBytes);
      return inTheWay.lastModified === null
        ? t(`${words}.presentUndated`, { bytes })
        : t(`${words}.present`, { bytes, date: formatDate(inTheWay.lastModified) });
    }
    case 'absent':
      return t(`${words}.absent`);
    default:
      return t(`${words}.unknown`);
  }
}

/** Returns the name of a request in the log. */
export function requestName(request: string, t: TFunction): string {
  const known = isKeyOf(catalogue.log.requests, request) ? request : 'other';
  return t(`jobs.log.requests.${known}`, { name: request });
}

/** Returns the name of a job's object, such as `b.bin` for `a/b.bin`. For a whole bucket, returns the bucket. */
export function nameOfJob(job: Pick<Job, 'bucket' | 'key'>): string {
  return job.key === '' ? job.bucket : nameOfKey(job.key);
}

/** Returns the title of a job for use in texts, for example `b.bin and 2 more`. */
export function jobTitle(
  job: Pick<Job, 'bucket' | 'key' | 'moreChosen' | 'isOfSearch' | 'undoes'>,
  t: TFunction,
): string {
  const place = nameOfJob(job);
  const baseName = job.isOfSearch === true ? t('jobs.ofSearch', { name: place }) : place;
  const name =
    job.undoes === undefined
      ? baseName
      : t(job.undoes.isRedo ? 'jobs.undone.redoTitle' : 'jobs.undone.title', { name: baseName });
  return job.moreChosen === undefined ? name : t('jobs.titleMany', { name, count: job.moreChosen });
}

/** Returns the state of an S3 Batch Operations job as text. Null if the texts for all jobs apply. */
function batchSentence(job: Job, batch: BatchFacts, t: TFunction): string | null {
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
