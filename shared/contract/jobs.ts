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
import { base, rangeOf } from './base.ts';
import { appErrorSchema } from '../error-schema.ts';
import {
  completionCheckSchema,
  completionRequestSchema,
  partRowSchema,
  scanEventSchema,
  uploadDetailSchema,
  uploadFilterSchema,
  uploadRefSchema,
  uploadRefsSchema,
  uploadRowSchema,
  uploadRowsSchema,
  uploadSortSchema,
  uploadSummarySchema,
} from '../models/stalled.ts';
import {
  newUploadInputSchema,
  fileMatchSchema,
  planEventSchema,
  resumeOptionsSchema,
} from '../models/resume-plan.ts';

/** The jobs to which a call applies. Null means all jobs to which it can apply, such as all running jobs for pause. */
const which = z.object({ jobIds: z.array(z.string()).max(10_000).nullable() });

export const jobs = {
  list: base
    .input(z.object({ ...rangeOf(500), filter: jobFilterSchema }))
    .output(z.object({ jobs: z.array(jobSchema), total: z.int() })),
  get: base.input(z.object({ jobId: z.string() })).output(jobSchema),
  /** Yields the changed jobs, at most four times a second. */
  watch: base.output(eventIterator(jobsEventSchema)),
  counts: base.output(jobCountsSchema),
  attempts: base
    .input(z.object({ jobId: z.string(), beforeId: z.int().nullable(), limit: z.int().min(1).max(500) }))
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

const scanned = z.object({ scanId: z.string() });
const where = z.object({
  connectionId: z.string(),
  /** The searched bucket, or null for all buckets of the connection. */
  bucket: z.string().nullable(),
  prefix: z.string(),
});

/** The created jobs, and for each refused upload of the selection the reason. */
const jobsCreated = z.object({
  jobIds: z.array(z.string()),
  refused: z.array(z.object({ ref: uploadRefSchema, error: appErrorSchema })),
});

export const stalled = {
  /** Lists all unfinished uploads. Yields only counts; `rows` returns the uploads themselves. */
  scan: base.input(where).output(eventIterator(scanEventSchema)),
  rows: base
    .input(scanned.extend({ ...rangeOf(500), sort: uploadSortSchema, filter: uploadFilterSchema }))
    .output(uploadRowsSchema),
  /** Returns the references of all rows that pass the filter, sorted by key, for "select all" and "older than N days". */
  select: base
    .input(
      scanned.extend({
        filter: uploadFilterSchema,
        offset: z.int().min(0).default(0),
        /** Bounded, because the window should not load 100,000 references at once. */
        limit: z.int().min(1).max(10_000).default(10_000),
      }),
    )
    .output(
      z.object({
        refs: z.array(uploadRefSchema),
        /** The number of uploads that match the filter, including those beyond the limit. The totals below also include them. */
        total: z.int(),
        storedBytes: z.number(),
        unread: z.int(),
      }),
    ),
  /** Returns, for each upload, true if the scan contains it. */
  has: base
    .input(scanned.extend({ refs: z.array(uploadRefSchema).max(10_000) }))
    .output(z.array(z.boolean())),
  /** Returns all uploads of the scan in groups, with the input for cost estimates. */
  summary: base.input(scanned).output(uploadSummarySchema),
  /** Reads the parts of these rows. The window requests the visible rows. */
  inspect: base.input(scanned.extend({ rowIds: z.array(z.int()).max(200) })).output(z.array(uploadRowSchema)),
  /** Reads the parts of all rows. Stops when the stream is closed. */
  inspectAll: base
    .input(scanned)
    .output(eventIterator(z.object({ read: z.int(), total: z.int(), failed: z.int() }))),
  /** Counts uploads for the sidebar. `isComplete` is false if counting stopped early. */
  count: base.input(where).output(z.object({ count: z.int(), isComplete: z.boolean() })),

  open: base.input(uploadRefSchema).output(uploadDetailSchema),
  parts: base
    .input(uploadRefSchema.extend(rangeOf(1000)))
    .output(z.object({ parts: z.array(partRowSchema), total: z.int() })),

  checkCompletion: base
    .input(z.object({ refs: uploadRefsSchema.max(200) }))
    .output(z.array(completionCheckSchema)),
  complete: base
    .input(z.object({ requests: z.array(completionRequestSchema).min(1).max(10_000) }))
    .output(jobsCreated),

  /** Lists the parts and compares the file's hashes with them. Sends no part. */
  plan: base
    .input(
      z.object({
        ref: uploadRefSchema,
        fileHandle: z.string(),
        /** True if the user says that the service's ETags are not MD5 (KMS encryption). No part is then verified by its ETag. */
        etagsAreNotMd5: z.boolean().default(false),
      }),
    )
    .output(eventIterator(planEventSchema)),
  resume: base
    .input(z.object({ planId: z.string(), options: resumeOptionsSchema }))
    .output(z.object({ jobId: z.string() })),
  /** Adds a plan to a list that `resumeMany` runs as one job. A null `listId` creates the list. Sends nothing to the service. */
  collectPlan: base
    .input(z.object({ planId: z.string(), listId: z.string().nullable() }))
    .output(z.object({ listId: z.string() })),
  /** Finishes the uploads of a list from `collectPlan` as one job. Parts that cannot be verified are sent again. */
  resumeMany: base.input(z.object({ listId: z.string() })).output(z.object({ jobId: z.string() })),
  /** Sends the file to its key in a new upload, if the stored parts cannot be used. The old parts stay unchanged. */
  uploadAgain: base.input(newUploadInputSchema).output(z.object({ jobId: z.string() })),
  /** Finds files in a folder that belong to these uploads, by name and size. */
  match: base
    .input(z.object({ folderHandle: z.string(), refs: uploadRefsSchema.max(1000) }))
    .output(z.array(fileMatchSchema)),

  /**
   * Adds uploads to a list, for a job with more uploads than one call accepts. `abort` or `completeWhole` then gets the list's
   * id. An unused list is discarded.
   */
  collect: base
    .input(z.object({ refs: uploadRefsSchema, listId: z.string().nullable() }))
    .output(z.object({ listId: z.string() })),
  /** Aborts uploads. Repeats the request until the service no longer knows the upload. Several uploads become one job. */
  abort: base
    .input(z.object({ refs: uploadRefsSchema, listId: z.string().nullable().optional() }))
    .output(jobsCreated),
  /**
   * Completes, as one job, the uploads that need no confirmation: they have no gaps, no recent writes, and no object at the key.
   * All other uploads become failed items with their reasons.
   */
  completeWhole: base
    .input(z.object({ refs: uploadRefsSchema, listId: z.string().nullable().optional() }))
    .output(jobsCreated),
};
