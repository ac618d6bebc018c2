import { z } from 'zod';
import { appErrorSchema } from '../../../shared/error-schema.ts';
import { jobOutcomes, jobReasons, jobWaits } from '../../../shared/models/jobs.ts';
import { standingObjectSchema } from '../../../shared/models/stalled.ts';
import { resumeOptionsSchema } from '../../../shared/models/resume-plan.ts';
import { baseJobFields, momentMs } from '../jobs/base-job.ts';
import type { BaseJob } from '../jobs/job.ts';
import { checksumNames, checksumsSchema } from './parts/part-store.ts';
import { conditions, refusals } from './outcome/outcome.ts';
import { jobFileSchema } from '../disk/local-file.ts';

const headSeenSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('present'),
    sizeBytes: z.number(),
    etag: z.string().nullable(),
    lastModified: z.string().nullable(),
    versionId: z.string().nullable(),
    etagIsNotMd5: z.boolean(),
  }),
  z.object({ kind: z.literal('unreadable'), error: appErrorSchema }),
]);

const intentSchema = z.object({
  partCount: z.int(),
  totalSizeBytes: z.number(),
  expectedEtag: z.string().nullable(),
  partsVerified: z.boolean(),
  checksums: checksumsSchema.default({}),
  initiatedAt: z.string().nullable(),
  before: headSeenSchema,
  condition: z.enum(conditions).default('none'),
});

const completionSchema = z.object({
  intent: intentSchema,
  /** Number of Complete requests sent, including the one in flight. */
  attempts: z.int(),
  /** The POST may be in flight. Persisted before it is sent. */
  inFlight: z.boolean(),
  sent: z.object({
    answer: z.object({ etag: z.string().nullable(), isProved: z.boolean().default(false) }).nullable(),
    doubtAtMs: z.number().nullable(),
    refusal: z.enum(refusals).nullable().default(null),
    goneAnswers: z.int().default(0),
    idleAnswers: z.int().default(0),
  }),
  watch: z.object({
    asks: z.int(),
    unclearAsks: z.int(),
    fingerprint: z.string().nullable(),
    sinceMs: z.number(),
    missingSinceMs: z.number().nullable(),
    unreadAsks: z.int().default(0),
  }),
});

export const uploadJobSchema = z.object({
  ...baseJobFields,
  kind: z.enum(['complete', 'resume', 'abort']),
  bucket: z.string(),
  key: z.string(),
  uploadId: z.string(),
  initiatedAt: z.string().nullable(),
  file: jobFileSchema.nullable(),
  options: resumeOptionsSchema.nullable(),
  etagsAreNotMd5: z.boolean(),
  /** The checksum of each part that the CreateMultipartUpload response named; null: none, or only ListParts names it. */
  checksumAlgorithm: z.enum(checksumNames).nullable().default(null),
  /** The fingerprint of the parts that the user has agreed to complete as they are. */
  acceptedFingerprint: z.string().nullable(),
  /** The second confirmation: missing parts stay missing. */
  acceptGaps: z.boolean(),
  /** The object at the key when the user agreed; null: `confirmComplete` of the item decides just before Complete. */
  agreed: standingObjectSchema.nullable().default(null),
  /** The other object found at the key since. By retrying, the user agrees to replace it. */
  inTheWay: standingObjectSchema.nullable().default(null),
  /** True if the Complete request may carry conditions. Some services do not support them. */
  withConditions: z.boolean().default(true),
  /** The Complete request of an earlier job may still be running; send no other before this time. */
  quietUntilMs: momentMs,
  progress: z.object({
    partsTotal: z.int(),
    partsDone: z.int(),
    bytesTotal: z.number(),
    bytesDone: z.number(),
  }),
  /** Present from the intent on, unless it is certain that no Complete request was applied. */
  completion: completionSchema.nullable(),
  /** Failures in a row without any progress. */
  failures: z.int(),
  /** How often the completion was prepared again, because the parts or the object at the key had changed. */
  rounds: z.int(),
  pauseRequested: z.boolean(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  /** True if HEAD proves the object but its bytes may not be read. */
  isUnread: z.boolean().default(false),
  /** While the outcome is verified: what the next check waits for. */
  waiting: z
    .object({ kind: z.enum(jobWaits), untilMs: momentMs.nullable() })
    .nullable()
    .default(null),
  error: z.nullable(appErrorSchema),
  partNumbers: z.array(z.int()),
});

export type Completion = Readonly<z.infer<typeof completionSchema>>;
export type UploadJob = Readonly<z.infer<typeof uploadJobSchema>> & BaseJob;

/** Returns the lock of an upload. It names no connection, so jobs of one upload never run together. */
export function lockKeyOf(ref: {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
}): string {
  return JSON.stringify([ref.bucket, ref.key, ref.uploadId]);
}
