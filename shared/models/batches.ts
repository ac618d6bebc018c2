import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { placeSchema } from './objects.ts';
import { selectionSchema } from './operations.ts';

const tagText = z.string().regex(/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u);

/** A tag in the form that S3 Batch Operations accepts (API_control_S3Tag). */
export const batchTagSchema = z.object({ key: tagText.min(1).max(128), value: tagText.max(256) });

/** An object has at most ten tags. */
export const maxTags = 10;

/**
 * The operation a job applies to each object. S3 Batch Operations cannot delete: `expire` replaces the tags with the single tag
 * that a lifecycle rule of the bucket expires.
 */
export const batchOperationSchema = z.discriminatedUnion('kind', [
  /** Replaces all tags of an object. */
  z.object({ kind: z.literal('tag'), tags: z.array(batchTagSchema).min(1).max(maxTags) }),
  /** Replaces objects with the same key in the target. A prefix of '' is the root of the target bucket. */
  z.object({
    kind: z.literal('copy'),
    bucket: z.string().min(3).max(63),
    prefix: z.string().max(512),
    /** The storage class of the copies, or null to keep the class of each source. */
    storageClass: z.string().max(100).nullable(),
  }),
  z.object({
    kind: z.literal('restore'),
    days: z.int().min(1).max(365_000),
    tier: z.enum(['BULK', 'STANDARD']),
  }),
  z.object({ kind: z.literal('expire'), tag: batchTagSchema }),
]);

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-job-status.html */
export const batchStatuses = [
  'New',
  'Preparing',
  'Suspended',
  'Ready',
  'Active',
  'Pausing',
  'Paused',
  'Completing',
  'Complete',
  'Cancelling',
  'Cancelled',
  'Failing',
  'Failed',
] as const;

export const batchReportScopes = ['AllTasks', 'FailedTasksOnly'] as const;

/** The formats of AccountId and IAMRoleArn in the API. */
export const accountIdPattern = /^\d{12}$/;
export const roleArnPattern = /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;

/** A job to create. Its manifest lists the chosen object keys and is stored as an object, at a key that is still unused. */
export const newBatchSchema = placeSchema.extend({
  items: selectionSchema,
  operation: batchOperationSchema,
  accountId: z.string().regex(accountIdPattern),
  roleArn: z.string().max(2048).regex(roleArnPattern),
  /** Among the account's jobs, a higher priority runs first. */
  priority: z.int().min(0).max(2_147_483_647),
  manifest: z.object({ bucket: z.string().min(3).max(63), key: z.string().min(1).max(1024) }),
  report: z.object({
    bucket: z.string().min(3).max(63),
    /** Without a trailing `/`: the service adds one. */
    prefix: z.string().max(512),
    scope: z.enum(batchReportScopes),
  }),
  /** True if the job should wait for the user's confirmation after the service has read the manifest. */
  asksFirst: z.boolean(),
});

/** The job's state as last reported by the service. */
export const reportedBatchSchema = z.object({
  status: z.enum(batchStatuses),
  /** 0 until the service has counted the objects. */
  total: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  failures: z.array(z.object({ code: z.string(), reason: z.string() })),
  /** The service's reason why the job waits or ended. */
  reason: z.string().nullable(),
});

/** The operation and target of an S3 Batch Operations job, and the progress the service reports. */
export const batchFactsSchema = z.object({
  operation: batchOperationSchema,
  accountId: z.string(),
  /** The service's id of the job, or null before the job is created. */
  serviceId: z.string().nullable(),
  region: z.string(),
  /** The number of objects in the manifest. */
  objects: z.int(),
  manifest: z.object({ bucket: z.string(), key: z.string() }),
  report: z.object({ bucket: z.string(), prefix: z.string() }),
  /** Null until the service has reported a state. */
  seen: reportedBatchSchema.nullable(),
  /** True if the request to create the job may have been sent, but has no response yet. */
  isInDoubt: z.boolean(),
  cancelRequested: z.boolean(),
});

/** The state of the lifecycle rule that expires objects with the tag. */
export const expiryRuleSchema = z.object({
  state: z.enum(['there', 'absent', 'unknown']),
  /**
   * The lifecycle configuration including the rule, and the fingerprint of the current one. Null if the rule exists or the state
   * is unknown.
   */
  text: z.string().nullable(),
  fingerprint: z.string().nullable(),
  /** The reason why the state is unknown. */
  error: z.nullable(appErrorSchema),
});

export type ExpiryRule = Readonly<z.infer<typeof expiryRuleSchema>>;
export type BatchTag = Readonly<z.infer<typeof batchTagSchema>>;
export type BatchOperation = Readonly<z.infer<typeof batchOperationSchema>>;
export type BatchStatus = (typeof batchStatuses)[number];
export type NewBatch = Readonly<z.infer<typeof newBatchSchema>>;
export type ReportedBatchState = Readonly<z.infer<typeof reportedBatchSchema>>;
export type BatchFacts = Readonly<z.infer<typeof batchFactsSchema>>;
