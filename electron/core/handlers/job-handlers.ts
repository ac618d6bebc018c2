import { jobStates, type JobFilter, type JobState } from '../../../shared/models/jobs.ts';
import { noSuchJob, isFinal, isResting } from '../jobs/job.ts';
import type { QueueParts } from './core-parts.ts';
import { never, type Implementer } from './implementer.ts';

export const stalledHandlers = (os: Implementer, { uploads, manyUploads }: QueueParts) => ({
  scan: os.stalled.scan.handler(({ input, signal }) => uploads.scans.scan(input, signal ?? never)),
  rows: os.stalled.rows.handler(({ input }) => uploads.scans.rows(input)),
  select: os.stalled.select.handler(({ input }) => uploads.scans.select(input)),
  has: os.stalled.has.handler(({ input }) => uploads.scans.has(input.scanId, input.refs)),
  summary: os.stalled.summary.handler(({ input }) => uploads.scans.summary(input.scanId)),
  inspect: os.stalled.inspect.handler(({ input, signal }) =>
    uploads.scans.inspect(input.scanId, input.rowIds, signal ?? never),
  ),
  inspectAll: os.stalled.inspectAll.handler(({ input, signal }) =>
    uploads.scans.inspectAll(input.scanId, signal ?? never),
  ),
  count: os.stalled.count.handler(({ input, signal }) => uploads.scans.count(input, signal ?? never)),
  open: os.stalled.open.handler(({ input, signal }) => uploads.inspector.open(input, signal ?? never)),
  parts: os.stalled.parts.handler(({ input, signal }) =>
    uploads.inspector.parts(input, input.offset, input.limit, signal ?? never),
  ),
  checkCompletion: os.stalled.checkCompletion.handler(({ input, signal }) =>
    uploads.inspector.check(input.refs, signal ?? never),
  ),
  complete: os.stalled.complete.handler(({ input }) => manyUploads.complete(input.requests)),
  completeWhole: os.stalled.completeWhole.handler(({ input }) =>
    manyUploads.completeWhole(input.refs, input.listId ?? null),
  ),
  plan: os.stalled.plan.handler(({ input, signal }) => uploads.plan(input, signal ?? never)),
  resume: os.stalled.resume.handler(({ input }) => uploads.resume(input.planId, input.options)),
  collectPlan: os.stalled.collectPlan.handler(({ input }) =>
    manyUploads.collectPlan(input.planId, input.listId),
  ),
  resumeMany: os.stalled.resumeMany.handler(({ input }) => manyUploads.resume(input.listId)),
  uploadAgain: os.stalled.uploadAgain.handler(({ input }) => uploads.uploadAgain(input)),
  match: os.stalled.match.handler(({ input, signal }) =>
    uploads.match(input.folderHandle, input.refs, signal ?? never),
  ),
  collect: os.stalled.collect.handler(({ input }) => manyUploads.collect(input.refs, input.listId)),
  abort: os.stalled.abort.handler(({ input }) => manyUploads.abort(input.refs, input.listId ?? null)),
});

const unfinished = jobStates.filter((state) => !isFinal(state));
const active = jobStates.filter((state) => !isResting(state));

function among(states: readonly JobState[]): JobFilter {
  return { states: [...states], connectionId: null };
}

export const jobHandlers = (os: Implementer, { uploads }: Pick<QueueParts, 'uploads'>) => {
  const { jobs } = uploads;
  return {
    list: os.jobs.list.handler(({ input: { filter, offset, limit }, signal }) =>
      jobs.list(filter, offset, limit, signal),
    ),
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
