import { text } from '../../host/text.ts';

export interface SystemNotice {
  readonly title: string;
  readonly body: string;
}

/** More than this in one go are told by their number. */
const fewNotices = 3;
export const gatherMs = 500;

/** Jobs that end together are told together, so that a queue does not bury the person. */
export function gatherNotices(show: (notice: SystemNotice) => void): (notice: SystemNotice) => void {
  let waiting: SystemNotice[] = [];
  const flush = (): void => {
    const told = waiting;
    waiting = [];
    if (told.length <= fewNotices) for (const notice of told) show(notice);
    else show({ title: text('noticeMany', { count: told.length }), body: text('noticeManyBody') });
  };
  return (notice) => {
    waiting.push(notice);
    if (waiting.length === 1) setTimeout(flush, gatherMs).unref();
  };
}
