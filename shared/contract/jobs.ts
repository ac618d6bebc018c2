import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  attemptSchema,
  jobCountsSchema,
  jobFilterSchema,
  jobSchema,
  jobSettingsSchema,
  jobsEventSchema,
  turns,
} from '../models/jobs.ts';
import { base } from './base.ts';

/** The jobs to which a call applies. Null means all jobs to which it can apply, such as all running jobs for pause. */
const which = z.object({ jobIds: z.array(z.string()).max(10_000).nullable() });

export const jobs = {
  list: base
    .input(z.object({ offset: z.int().min(0), limit: z.int().min(1).max(500), filter: jobFilterSchema }))
    .output(z.object({ jobs: z.array(jobSchema), total: z.int() })),
  get: base.input(z.object({ jobId: z.string() })).output(jobSchema),
  /** Yields the changed jobs, at most four times a second. */
  watch: base.output(eventIterator(jobsEventSchema)),
  counts: base.output(jobCountsSchema),
  attempts: base
    .input(
      z.object({
        jobId: z.string(),
        beforeId: z.int().nullable(),
        limit: z.int().min(1).max(500),
      }),
    )
    .output(z.array(attemptSchema)),

  pause: base.input(which).output(z.void()),
  resume: base.input(which).output(z.void()),
  retryNow: base.input(which).output(z.void()),
  /** Moves a waiting job before or after all other waiting jobs. `moved` is false if the job is no longer waiting. */
  reorder: base
    .input(z.object({ jobId: z.string(), to: z.enum(turns) }))
    .output(z.object({ moved: z.boolean() })),
  /** Cancels jobs. Never aborts an upload on the service. */
  cancel: base.input(which).output(z.void()),
  /** Removes jobs that are done, cancelled or need attention, with their logs. */
  clear: base.input(which).output(z.object({ removed: z.int() })),
  /** Sets the local file that a job reads from, after a restart or when the file was moved. */
  giveFile: base.input(z.object({ jobId: z.string(), fileHandle: z.string() })).output(z.void()),

  settings: base.output(jobSettingsSchema),
  updateSettings: base.input(jobSettingsSchema.partial()).output(jobSettingsSchema),
};
