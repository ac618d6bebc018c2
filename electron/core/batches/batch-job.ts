import { z } from 'zod';
import { appErrorSchema } from '../../../shared/error-schema.ts';
import { batchOperationSchema, batchReportScopes, batchSeenSchema } from '../../../shared/models/batches.ts';
import { jobOutcomes, jobReasons } from '../../../shared/models/jobs.ts';
import { jobFileSchema } from '../disk/local-file.ts';
import { baseJobFields } from '../jobs/base-job.ts';
import type { BaseJob } from '../jobs/job.ts';

/** A job of S3 Batch Operations as it is stored: what was asked for, and how far it is known to be. */
export const batchJobSchema = z.object({
  ...baseJobFields,
  kind: z.literal('batch'),
  failures: z.int(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  error: z.nullable(appErrorSchema),
  /** Where the objects are. */
  bucket: z.string(),
  operation: batchOperationSchema,
  accountId: z.string(),
  roleArn: z.string(),
  priority: z.int(),
  region: z.string(),
  asksFirst: z.boolean(),
  report: z.object({ bucket: z.string(), prefix: z.string(), scope: z.enum(batchReportScopes) }),
  manifest: z.object({
    bucket: z.string(),
    key: z.string(),
    /** On this computer, until the service has it. */
    file: jobFileSchema,
    /** Base64. */
    md5: z.string(),
    objects: z.int(),
    /** What the service answered; null: it is not there yet. */
    stored: z.object({ etag: z.string(), versionId: z.string().nullable() }).nullable(),
  }),
  /** Made with the job, before any request: whatever is sent again, is sent with it. */
  token: z.string(),
  /** CreateJob may have been sent: on disk before it is. */
  createSent: z.boolean(),
  /** One that was sent has not been answered, so the service may have made the job. */
  inDoubt: z.boolean(),
  /** The service's name for the job. */
  serviceId: z.string().nullable(),
  /** What the user wants the service to be told. */
  wanted: z.enum(['nothing', 'run', 'cancel']),
  /** It was told so. */
  told: z.enum(['nothing', 'run', 'cancel']),
  seen: batchSeenSchema.nullable(),
  /** Looks since something last changed. */
  looks: z.int(),
});

export type BatchJob = Readonly<z.infer<typeof batchJobSchema>> & BaseJob;

/** By it the job is found among those of the account. At most 256 characters. */
export function descriptionOf({ token, bucket }: Pick<BatchJob, 'token' | 'bucket'>): string {
  return `Cooper ${token}: ${bucket}`;
}
