import { z } from 'zod';
import { appErrorSchema } from '../../../shared/error-schema.ts';
import { batchOperationSchema, batchReportScopes, batchSeenSchema } from '../../../shared/models/batches.ts';
import { jobOutcomes, jobReasons } from '../../../shared/models/jobs.ts';
import { jobFileSchema } from '../disk/local-file.ts';
import { checksumsSchema } from '../disk/stored-checksums.ts';
import { baseJobFields } from '../jobs/base-job.ts';
import type { BaseJob } from '../jobs/job.ts';

/** The stored record of an S3 Batch Operations job: its request and the last known progress. */
export const batchJobSchema = z.object({
  ...baseJobFields,
  kind: z.literal('batch'),
  failures: z.int(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  error: z.nullable(appErrorSchema),
  /** Bucket of the objects. */
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
    /** The local file, which exists until the service has stored the manifest. */
    file: jobFileSchema,
    /** Base64. */
    md5: z.string(),
    /** The checksum that the service compares; empty if it is not known to compare any. */
    checksums: checksumsSchema.default({}),
    objects: z.int(),
    /** The service's response to the manifest's upload; null until stored. */
    stored: z.object({ etag: z.string(), versionId: z.string().nullable() }).nullable(),
  }),
  /** Idempotency token, created with the job before any request and sent with every retry. */
  token: z.string(),
  /** True if CreateJob may have been sent. Persisted before the request. */
  createSent: z.boolean(),
  /** True if a CreateJob got no response, so the service may have created the job. */
  inDoubt: z.boolean(),
  /** The service's name for the job. */
  serviceId: z.string().nullable(),
  /** The state that the user requested. */
  wanted: z.enum(['nothing', 'run', 'cancel']),
  /** The state that the service has accepted. */
  told: z.enum(['nothing', 'run', 'cancel']),
  seen: batchSeenSchema.nullable(),
  /** Status requests since the last change. */
  looks: z.int(),
});

export type BatchJob = Readonly<z.infer<typeof batchJobSchema>> & BaseJob;

/** Returns the description by which the job is found in the account, at most 256 characters. */
export function descriptionOf({ token, bucket }: Pick<BatchJob, 'token' | 'bucket'>): string {
  return `Cooper ${token}: ${bucket}`;
}
