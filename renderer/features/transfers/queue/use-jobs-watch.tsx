import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { JobCounts, JobsEvent } from '../../../../shared/models/jobs.ts';
import { useCoreStatus } from '../../../rpc/client.ts';
import { usePlaceTitle } from '../../../ui/words/window-title.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { useStable } from '../../../ui/use-stable.ts';
import type { NoticeActions } from './job-notices.tsx';
import { totalProgress } from './job-progress.ts';
import { followJobs, onJobsEvent, useJobsNow } from './jobs-store.ts';

/** Follows the jobs, shows a notice for each ended job, and keeps the total in the window's title. Use it once. */
export function useJobsWatch(actions: NoticeActions): void {
  const { t } = useTranslation();
  const status = useCoreStatus();
  const generation = status.kind === 'ready' ? status.generation : 0;
  useEffect(() => {
    if (generation === 0) return undefined;
    const aborter = new AbortController();
    void followJobs(aborter.signal);
    return () => aborter.abort();
  }, [generation]);

  const stable = useStable(actions);
  useEffect(() => onJobsEvent((event) => afterJobs(event, stable)), [stable]);
  const { counts } = useJobsNow();
  useWindowTitle(counts, t);
}

function useWindowTitle(counts: JobCounts | null, t: TFunction): void {
  const place = usePlaceTitle();
  const name = t('common.appName');
  const title = titleOf(counts, place === null ? name : `${place} — ${name}`, t);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

function titleOf(counts: JobCounts | null, name: string, t: TFunction): string {
  const total = counts === null ? { kind: 'idle' as const } : totalProgress(counts);
  if (total.kind === 'idle') return name;
  if (total.percent === null) return t('entries.jobs.windowTitleRunning', { title: name });
  return t('entries.jobs.windowTitle', { percent: total.percent, title: name });
}

let hasNotices = false;

/** Passes the event to the notices, whose code is loaded when the first job ends. */
function afterJobs(event: JobsEvent, actions: NoticeActions): void {
  if (event.settled.length === 0 && !hasNotices) return;
  hasNotices = true;
  sayingFailure(async () => {
    const { updateJobNotices } = await import('./job-notices.tsx');
    await updateJobNotices(event, actions);
  });
}
