import type { TFunction } from 'i18next';
import { assertNever } from '../../../../shared/assert-never.ts';
import { undoableKinds } from '../../../../shared/models/job-kinds.ts';
import { hasDoneNothing } from '../../../../shared/models/job-results.ts';
import type { Job, JobsEvent, SettledJob } from '../../../../shared/models/jobs.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { isStartedByWindow, rpc } from '../../../rpc/client.ts';
import {
  hideNotice,
  hideStartedNotice,
  showNotice,
  updateNotice,
  type NoticeMessage,
} from '../../../ui/notices/notices.tsx';
import { isQuestion } from './job-actions.ts';
import { jobSentence, jobTitle } from './job-words.ts';
import {
  withoutSettledJobs,
  noOpenNotices,
  type OpenNotices,
  noticesFor,
  type SettledNotice,
} from './settled.ts';

export interface NoticeActions {
  /** Called when the user clicks a notice, with null for a notice about several jobs. */
  readonly onShow: (jobId: string | null) => void;
  /** Returns true if the list of transfers is visible. The list shows how jobs end, so that notices are unnecessary. */
  readonly isListShown: () => boolean;
  /** Opens the question of a job. */
  readonly onAsk: (jobId: string) => void;
}

let lastUpdate: Promise<void> = Promise.resolve();

/**
 * Shows notices about jobs that have ended, and closes the notices of jobs that no longer need attention. Handles one event after
 * the other, since an event may close the notice that an earlier event is about to show.
 */
export async function updateJobNotices(event: JobsEvent, actions: NoticeActions): Promise<void> {
  const update = updateAfter(lastUpdate, event, actions);
  // The caller gets the error, which does not affect later events.
  lastUpdate = update.catch(() => undefined);
  await update;
}

async function updateAfter(earlier: Promise<void>, event: JobsEvent, actions: NoticeActions): Promise<void> {
  await earlier;
  await closeObsoleteNotices(event);
  if (event.settled.length > 0) await showSettledJobs(event, actions);
}

async function showSettledJobs({ settled, changed }: JobsEvent, actions: NoticeActions): Promise<void> {
  const undoId = await undoableOf(settled);
  const questionJob = settled.find((job) => isQuestion(job) && mayAskNow(job));
  if (questionJob !== undefined) actions.onAsk(questionJob.id);
  // While the list is open, it shows how jobs end. Only the offer to undo still needs a notice.
  const isShown = actions.isListShown();
  for (const notice of noticesFor(settled.filter((job) => job !== questionJob))) {
    const fullNotice = !isShown || offersUndo(notice, undoId) ? await withJob(notice, changed) : null;
    if (fullNotice !== null) announce(fullNotice, actions, undoId);
  }
}

/** Reads the job of a notice about one job. Returns null if the job was removed from the list, or has changed since. */
async function withJob(
  notice: SettledNotice<SettledJob>,
  changed: readonly Job[],
): Promise<SettledNotice | null> {
  if (notice.kind === 'many-done' || notice.kind === 'many-attention') return notice;
  const { id } = notice.job;
  try {
    const job = changed.find((each) => each.id === id) ?? (await rpc.jobs.get({ jobId: id }));
    const [currentNotice] = noticesFor([job]);
    return currentNotice?.kind === notice.kind ? { kind: currentNotice.kind, job } : null;
  } catch {
    return null;
  }
}

/** Returns true if a job's question may open as a dialog. The job was started in this window, which has focus and no dialog. */
function mayAskNow({ id }: SettledJob): boolean {
  const isInFront = document.visibilityState === 'visible' && document.hasFocus();
  return isInFront && isStartedByWindow(id) && document.querySelector('[aria-modal="true"]') === null;
}

const undoable: ReadonlySet<Job['kind']> = new Set(undoableKinds);

/** Returns the id of the undo offered after these jobs, or null if none can be undone. */
async function undoableOf(settled: readonly SettledJob[]): Promise<string | null> {
  if (!settled.some(({ kind, state }) => state === 'done' && undoable.has(kind))) return null;
  try {
    const { undo } = await rpc.operations.undoState();
    return undo?.isPossible === true ? undo.id : null;
  } catch {
    // Shows the notice without an undo button. The undo command itself reports the error.
    return null;
  }
}

let openNotices: OpenNotices = noOpenNotices;

/** Maximum number of jobs read to find which notices are out of date. */
const maxRead = 50;

/** Closes the notices whose jobs no longer need attention. After a change of very many jobs, reads each job. */
async function closeObsoleteNotices(event: JobsEvent): Promise<void> {
  if (openNotices.size === 0) return;
  const jobIdsToRead = [...openNotices.values()].flatMap((jobIds) => [...jobIds]).slice(0, maxRead);
  const changes = event.reload ? await readJobs(jobIdsToRead) : event;
  const next = withoutSettledJobs(openNotices, changes);
  openNotices = next.open;
  for (const id of next.over) hideNotice(id);
}

async function readJobs(jobIds: readonly string[]): Promise<Pick<JobsEvent, 'changed' | 'removed'>> {
  const changed: Job[] = [];
  const removed: string[] = [];
  for (const jobId of jobIds) {
    try {
      changed.push(await rpc.jobs.get({ jobId }));
    } catch (thrown) {
      // After any other error, such as a lost connection to the core, the notice stays until the next event.
      if (appErrorOf(thrown).code === 'not-found') removed.push(jobId);
    }
  }
  return { changed, removed };
}

function jobsOf(notice: SettledNotice): readonly string[] {
  switch (notice.kind) {
    case 'attention':
      return [notice.job.id];
    case 'many-attention':
      return notice.jobIds;
    case 'done':
    case 'many-done':
      return [];
    default:
      return assertNever(notice);
  }
}

/** Closes all notices about jobs when the list of transfers opens, except an offer to undo. */
export function closeJobNotices(): void {
  for (const id of openNotices.keys()) hideNotice(id);
  if (lastShown !== null && lastShown.undoId === null) hideNotice(lastShown.id);
}

let serial = 0;
/** The visible notice about finished jobs. When further jobs finish, its count is updated instead of adding notices. */
let lastShown: { readonly id: string; readonly count: number; readonly undoId: string | null } | null = null;

function announce(settled: SettledNotice, { onShow, onAsk }: NoticeActions, undoId: string | null): void {
  const notice = mergeWithShown(settled);
  const isUndoable = offersUndo(settled, undoId);
  const undo = isUndoable ? undoId : (lastShown?.undoId ?? null);
  const earlierId = isDone(notice) ? (lastShown?.id ?? null) : null;
  serial += 1;
  const id = earlierId ?? `jobs-${String(serial)}`;
  const { jobId, tone, ...words } = wordsOf(notice);
  hideStartedNotice();
  const noticeOptions = {
    ...words,
    tone,
    staysMs: jobsOf(notice).length > 0 ? null : 8000,
    actions: [
      ...(undo !== null && isDone(notice)
        ? [
            {
              label: (say: TFunction) =>
                say(notice.kind === 'done' ? 'jobs.toast.undo' : 'jobs.toast.undoLast'),
              onClick: () => sayingFailure(() => rpc.operations.undo({ id: undo })),
            },
          ]
        : []),
      notice.kind === 'attention' && isQuestion(notice.job)
        ? {
            label: (say: TFunction) => say('jobs.actions.answerConflicts'),
            onClick: () => onAsk(notice.job.id),
          }
        : { label: (say: TFunction) => say('jobs.toast.show'), onClick: () => onShow(jobId) },
    ],
    onClosed: () => {
      if (lastShown?.id === id) lastShown = null;
      openNotices = new Map([...openNotices].filter(([noticeId]) => noticeId !== id));
    },
  };
  if (earlierId === null) showNotice(noticeOptions, id);
  else updateNotice(noticeOptions, id);
  const jobIds = jobsOf(notice);
  if (jobIds.length > 0) openNotices = new Map([...openNotices, [id, new Set(jobIds)]]);
  if (isDone(notice)) lastShown = { id, count: notice.kind === 'done' ? 1 : notice.count, undoId: undo };
}

/** Returns true if the notice includes the last operation that can be undone. */
function offersUndo(notice: SettledNotice<SettledJob>, undoId: string | null): boolean {
  if (undoId === null || !isDone(notice)) return false;
  return notice.kind === 'done' ? notice.job.id === undoId : notice.jobIds.includes(undoId);
}

function isDone<JobKnown>(
  notice: SettledNotice<JobKnown>,
): notice is Extract<SettledNotice<JobKnown>, { kind: 'done' | 'many-done' }> {
  return notice.kind === 'done' || notice.kind === 'many-done';
}

function mergeWithShown(notice: SettledNotice): SettledNotice {
  if (lastShown === null || !isDone(notice)) return notice;
  const count = lastShown.count + (notice.kind === 'done' ? 1 : notice.count);
  return { kind: 'many-done', count, jobIds: notice.kind === 'done' ? [notice.job.id] : notice.jobIds };
}

/** Adds the full stop that a text needs in a notice, but not in a table cell. */
function asSentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

interface NoticeWords {
  readonly title: NoticeMessage;
  readonly message?: NoticeMessage;
  readonly jobId: string | null;
  readonly tone: 'good' | 'quiet' | 'warning' | 'bad';
}

function wordsOf(notice: SettledNotice): NoticeWords {
  switch (notice.kind) {
    case 'done': {
      const { job } = notice;
      const isNothing = hasDoneNothing(job);
      const message: NoticeMessage = (say) => asSentence(jobSentence(job, Date.now(), say));
      const tone = isNothing ? 'quiet' : 'good';
      // Omits the words "finished". The title of an undo already says what was done, and this job may have changed nothing.
      if (isNothing || job.undoes !== undefined)
        return { title: (say) => jobTitle(job, say), message, jobId: job.id, tone };
      const key = job.kind === 'abort' ? 'jobs.toast.aborted' : 'jobs.toast.done';
      return { title: (say) => say(key, { name: jobTitle(job, say) }), message, jobId: job.id, tone };
    }
    case 'attention': {
      const { job } = notice;
      // The message says that the job needs attention, and why.
      return {
        title: (say) => jobTitle(job, say),
        message: (say) => asSentence(jobSentence(job, Date.now(), say)),
        jobId: job.id,
        tone: isQuestion(job) ? 'warning' : 'bad',
      };
    }
    case 'many-done':
    case 'many-attention': {
      const areDone = notice.kind === 'many-done';
      return {
        title: (say) => say(`jobs.toast.${areDone ? 'manyDone' : 'manyAttention'}`, { count: notice.count }),
        jobId: null,
        tone: areDone ? 'good' : 'bad',
      };
    }
    default:
      return assertNever(notice);
  }
}
