import type { JobNotice } from '../../core/ports.ts';
import { text, type HostMessage } from '../../host/text.ts';

export interface SystemNotice {
  readonly title: string;
  readonly body: string;
}

/** If more notifications than this occur within `gatherMs`, they are merged into one that shows their number. */
const fewNotices = 3;
export const gatherMs = 500;

/** Merges notifications of jobs that end at the same time, so that a queue does not flood the user. */
export function gatherNotices(show: (notice: SystemNotice) => void): (notice: JobNotice) => void {
  let waiting: JobNotice[] = [];
  const flush = (): void => {
    const notices = waiting;
    waiting = [];
    if (notices.length <= fewNotices) for (const notice of notices) show(noticeWords(notice));
    else show({ title: text('noticeMany', { count: notices.length }), body: text('noticeManyBody') });
  };
  return (notice) => {
    waiting.push(notice);
    if (waiting.length === 1) setTimeout(flush, gatherMs).unref();
  };
}

const titles = {
  done: 'noticeDone',
  'nothing-done': 'noticeNothingDone',
  paused: 'noticePaused',
  attention: 'noticeAttention',
} as const satisfies Readonly<Record<JobNotice['state'], HostMessage>>;

const works = {
  complete: 'noticeComplete',
  resume: 'noticeResume',
  abort: 'noticeAbort',
  upload: 'noticeUpload',
  download: 'noticeDownload',
  copy: 'noticeCopy',
  move: 'noticeMove',
  rename: 'noticeRename',
  restore: 'noticeRestore',
  delete: 'noticeDelete',
  change: 'noticeChange',
  'abort-many': 'noticeAbortMany',
  'complete-many': 'noticeCompleteMany',
  'resume-many': 'noticeResumeMany',
  batch: 'noticeBatch',
} as const satisfies Readonly<Record<JobNotice['work'], HostMessage>>;

/** Returns the notification for a settled job, in the current language. */
export function noticeWords({ state, work, name, others, bucket, failed }: JobNotice): SystemNotice {
  const title = text(titles[state], {
    name: others === 0 ? name : text('noticeOthers', { name, count: others }),
  });
  const heading = text(works[work]);
  const where = bucket === '' ? heading : text('noticeWhere', { heading, bucket });
  if (failed > 0) return { title, body: text('noticeFailed', { where, count: failed }) };
  const isOver = state === 'done' || state === 'nothing-done';
  return { title, body: isOver ? where : text('noticeWhy', { where }) };
}
