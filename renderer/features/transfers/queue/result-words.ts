import type { TFunction } from 'i18next';
import { isOfUploads, type JobWork, usualOutcomes, workOf } from '../../../../shared/models/job-kinds.ts';
import { changedItems, hasDoneNothing } from '../../../../shared/models/job-results.ts';
import type { Job, JobReason } from '../../../../shared/models/jobs.ts';
import type { AppError } from '../../../../shared/errors.ts';
import catalogue from '../../../../shared/messages/en/jobs.json' with { type: 'json' };
import { errorWords, isKeyOf } from '../../../ui/words/error-words.ts';
import { formatBytes } from '../../../ui/words/format.ts';

/** Returns a sentence about what a finished job actually did. */
export function doneSentence(job: Job, t: TFunction): string {
  if (job.state === 'done' && job.sync !== undefined && job.items !== undefined)
    return syncSentence(job.kind, job.items, job.sync, t);
  if (hasDoneNothing(job)) return nothingSentence(job, t);
  const outcome = job.outcome ?? (job.kind === 'abort' ? 'aborted' : 'completed');
  const count = job.items === undefined ? job.partsDone : changedItems(job.items);
  const sentence =
    job.undoes !== undefined && job.state === 'done'
      ? t(job.undoes.isRedo ? 'jobs.undone.redone' : 'jobs.undone.done', { count })
      : t(`jobs.outcomes.${outcome}`, { count, bytes: formatBytes(job.bytesDone) });
  if (job.notReadBack === true) return t('jobs.notReadBack', { sentence });
  const { same = 0, skipped = 0 } = job.items ?? {};
  const withSame = same > 0 ? t(`jobs.same.${unchangedTextKey(job)}`, { sentence, amount: same }) : sentence;
  return skipped > 0 ? t('jobs.skipped', { sentence: withSame, amount: skipped }) : withSame;
}

/**
 * Returns the key of the text for items that needed no change. This is `there` for copies, and `unchanged` for properties and
 * undos.
 */
function unchangedTextKey({ kind, undoes }: Job): 'there' | 'unchanged' {
  return kind === 'change' || undoes !== undefined ? 'unchanged' : 'there';
}

type NothingDone = keyof typeof catalogue.nothing.done;

/** Returns the key of the text which says that a job of many items did nothing. A cancelled job has no outcome. */
function nothingWords(job: Job): NothingDone {
  const { kind, outcome, undoes } = job;
  if (undoes !== undefined) return undoes.isRedo ? 'redone' : 'undone';
  const work = workOf(job);
  const usual = work === 'rename' ? 'renamed' : work === 'restore' ? 'restored' : null;
  const result = outcome ?? usual ?? (isKeyOf(usualOutcomes, kind) ? usualOutcomes[kind] : '');
  return isKeyOf(catalogue.nothing.done, result) ? result : 'changed';
}

/** Returns a sentence for an ended job that changed nothing, with the reason. */
function nothingSentence(job: Job, t: TFunction): string {
  const { kind, undoes, items } = job;
  const done = nothingWords(job);
  const { skipped = 0, noted = 0, same = 0 } = items ?? {};
  if (same > 0) {
    const sentence = t(`jobs.nothing.same.${done}`, { count: same });
    return skipped > 0 ? t('jobs.skipped', { sentence, amount: skipped }) : sentence;
  }
  const sentence = t(`jobs.nothing.done.${done}`);
  if (skipped === 0) return t(`jobs.nothing.none.${itemNounOf(kind)}`, { sentence });
  // An item without a note was skipped because an item of the same name existed.
  if (noted > 0 || undoes !== undefined || !makesNames.has(kind))
    return t('jobs.skipped', { sentence, amount: skipped });
  const itemNoun = kind === 'download' ? 'file' : 'object';
  return skipped === 1
    ? t(`jobs.nothing.taken.${itemNoun}`, { sentence })
    : t(`jobs.nothing.taken.${itemNoun}s`, { sentence, count: skipped });
}

const makesNames: ReadonlySet<Job['kind']> = new Set(['upload', 'download', 'copy', 'move']);

/** Returns what the progress of a job counts. Only jobs over files of this computer count files. */
export function countedIn({
  items,
  kind,
}: Pick<Job, 'items' | 'kind'>): 'parts' | 'files' | 'uploads' | 'objects' {
  return items === undefined && kind !== 'batch' ? 'parts' : itemNounOf(kind);
}

function itemNounOf(kind: Job['kind']): 'files' | 'uploads' | 'objects' {
  if (isOfUploads(kind)) return 'uploads';
  return kind === 'upload' || kind === 'download' ? 'files' : 'objects';
}

/** Returns the result of a sync: the numbers of transferred, deleted, unchanged and skipped items, without zeros. */
function syncSentence(
  kind: Job['kind'],
  items: NonNullable<Job['items']>,
  sync: NonNullable<Job['sync']>,
  t: TFunction,
): string {
  const { same = 0 } = items;
  const parts = (
    [
      [kind === 'download' ? 'downloaded' : 'uploaded', changedItems(items) - sync.removed],
      ['deleted', sync.removed],
      ['unchanged', sync.unchanged + same],
      ['skipped', sync.skipped + items.skipped],
    ] as const
  ).flatMap(([word, amount]) => (amount > 0 ? [t(`jobs.synced.${word}`, { amount })] : []));
  return parts.length === 0 ? t('jobs.synced.nothing') : t('jobs.synced.done', { parts: parts.join(', ') });
}

/** The reasons for which the job's error makes a better explanation than the reason's text. */
const explainedByError: ReadonlySet<JobReason> = new Set([
  'items-failed',
  'access-denied',
  'refused',
  'not-sent',
]);

/** Returns the cause of a failed job and the number of failed items. Null if the error does not explain the failure. */
export function failedSentence(job: Job, t: TFunction): string | null {
  if (job.error === null || job.reason === null || !explainedByError.has(job.reason)) return null;
  const cause = causeText(job, job.error, t);
  const { failed = 0, total = 0, causes = 1 } = job.items ?? {};
  if (failed === 0 || total <= 1) return cause;
  return t(causes > 1 ? 'jobs.failure.first' : 'jobs.failure.some', { failed, total, cause });
}

/** Returns advice for a job with failed items, which depends on the success of other items. */
export function failedAdvice({ items }: Job, t: TFunction): string {
  const count = items?.done ?? 0;
  return count === 0 ? t('jobs.failure.adviceNone') : t('jobs.failure.advice', { count });
}

/** Returns why an item failed: the text for its error's reason, or else the title of its error. */
export function itemErrorText(error: AppError, t: TFunction): string {
  return reasonText(error, t) ?? t(`${errorWords(error)}.title`);
}

/** Returns a clause about the error's reason, or null if only errors outside of transfers have the reason. */
export function reasonText({ reason, difference }: AppError, t: TFunction): string | null {
  const { expected = '', got = '' } = difference ?? {};
  return isKeyOf(catalogue.failedItems.why, reason)
    ? t(`jobs.failedItems.why.${reason}`, { expected, got })
    : null;
}

function causeText(job: Job, error: AppError, t: TFunction): string {
  const { bucket, target, kind } = job;
  const to = target === undefined || target.bucket === bucket ? null : target.bucket;
  if (error.code === 'access-denied' && (error.reason === undefined || error.reason === 'denied'))
    return to === null
      ? t(`jobs.denied.${deniedWords[workOf(job)]}`, { bucket })
      : t(`jobs.denied.${kind === 'move' ? 'moveAcross' : 'across'}`, { from: bucket, to });
  if (error.reason === 'no-such-bucket')
    return to === null
      ? t('jobs.failure.noBucket', { bucket })
      : t('jobs.failure.noBucketOf', { from: bucket, to });
  const text = itemErrorText(error, t);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The text about denied access, by what the job does. */
const deniedWords = {
  download: 'read',
  delete: 'delete',
  change: 'change',
  copy: 'copy',
  move: 'move',
  rename: 'rename',
  restore: 'restore',
  abort: 'abort',
  'abort-many': 'abort',
  upload: 'write',
  complete: 'write',
  resume: 'write',
  'complete-many': 'write',
  'resume-many': 'write',
  batch: 'write',
} as const satisfies Readonly<Record<JobWork, keyof typeof catalogue.denied>>;

/** Returns what a cancelled job leaves behind. Stored parts of an upload count as something left behind. */
export function cancelledSentence(job: Job, t: TFunction): string {
  const { kind, items, bytesDone } = job;
  const leavesParts = (kind === 'upload' || kind === 'resume-many') && bytesDone > 0;
  if (isKeyOf(usualOutcomes, kind) && items !== undefined && changedItems(items) === 0 && !leavesParts)
    return t('jobs.cancelledNothing', { sentence: t(`jobs.nothing.done.${nothingWords(job)}`) });
  if (job.isRestore === true) return t('jobs.state.cancelled-restore');
  return t(
    `jobs.state.${kind === 'complete' || kind === 'resume' ? 'cancelled' : (`cancelled-${kind}` as const)}`,
  );
}
