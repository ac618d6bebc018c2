import { jobStates, type JobFilter, type JobState } from '../../../shared/models/jobs.ts';
import { isFinal, isResting } from '../jobs/job.ts';
import { noSuchJob } from '../jobs/no-such-job.ts';
import type { QueueParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

const unfinished = jobStates.filter((state) => !isFinal(state));
const active = jobStates.filter((state) => !isResting(state));

function among(states: readonly JobState[]): JobFilter {
  return { states: [...states], connectionId: null };
}

export const jobHandlers = (os: Implementer, { uploads }: Pick<QueueParts, 'uploads'>) => {
  const { jobs } = uploads;
  return {
    list: os.jobs.list.handler(({ input }) => jobs.list(input.filter, input.offset, input.limit)),
    get: os.jobs.get.handler(({ input }) => jobs.job(input.jobId) ?? noSuchJob()),
    watch: os.jobs.watch.handler(({ signal }) => jobs.changes.watch(signal ?? never)),
    counts: os.jobs.counts.handler(() => jobs.changes.counts()),
    attempts: os.jobs.attempts.handler(({ input }) => [
      ...jobs.attempts(input.jobId, input.beforeId, input.limit),
    ]),
    pause: os.jobs.pause.handler(
      async ({ input }) => void (await jobs.sendMany(input.jobIds, among(active), { kind: 'pause' })),
    ),
    resume: os.jobs.resume.handler(
      async ({ input }) => void (await jobs.sendMany(input.jobIds, among(['paused']), { kind: 'resume' })),
    ),
    retryNow: os.jobs.retryNow.handler(async ({ input }) => {
      for (const jobId of input.jobIds ?? []) uploads.lookNow(jobId);
      await jobs.sendMany(input.jobIds, among(['retry-scheduled', 'verifying-outcome', 'needs-attention']), {
        kind: 'retry-now',
      });
    }),
    cancel: os.jobs.cancel.handler(
      async ({ input }) => void (await jobs.sendMany(input.jobIds, among(unfinished), { kind: 'cancel' })),
    ),
    reorder: os.jobs.reorder.handler(({ input }) => ({ moved: jobs.reorder(input.jobId, input.to) })),
    clear: os.jobs.clear.handler(async ({ input }) => ({ removed: await jobs.clear(input.jobIds) })),
    giveFile: os.jobs.giveFile.handler(({ input }) => uploads.giveFile(input.jobId, input.fileHandle)),
    settings: os.jobs.settings.handler(() => jobs.settings),
    updateSettings: os.jobs.updateSettings.handler(({ input }) => jobs.updateSettings(input)),
  };
};
