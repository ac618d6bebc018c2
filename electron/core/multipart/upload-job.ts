import { z } from 'zod';
import { appErrorSchema } from '../../../shared/error-schema.ts';
import { jobOutcomes, jobReasons, jobWaits, type Job } from '../../../shared/models/jobs.ts';
import { standingObjectSchema } from '../../../shared/models/stalled.ts';
import { resumeOptionsSchema } from '../../../shared/models/resume-plan.ts';
import { baseJobFields, momentMs, type BaseJob, baseModel, type Live } from '../jobs/job.ts';
import { checksumNames } from '../disk/checksums.ts';
import { checksumsSchema } from '../disk/stored-checksums.ts';
import { intentSchema, sentSchema, watchSchema } from './outcome/outcome.ts';
import { jobFileSchema } from '../disk/local-file.ts';
import { failure } from '../../../shared/errors.ts';

const completionSchema = z.object({
  intent: intentSchema,
  /** The number of Complete requests sent, including one in flight. */
  attempts: z.int(),
  /** True if a Complete request may be in flight. Stored before the request is sent. */
  inFlight: z.boolean(),
  sent: sentSchema,
  watch: watchSchema,
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
  /**
   * The checksum algorithm named by the CreateMultipartUpload response, required for each part; null if the response named none.
   */
  checksumAlgorithm: z.enum(checksumNames).nullable().default(null),
  /** The checksums of all bytes, if the job's owner sent the parts. Empty for parts of unknown content. */
  wholeChecksums: checksumsSchema.default({}),
  /** False once the service has refused a Complete request because of its checksum. */
  sendsWholeChecksum: z.boolean().default(true),
  /** The fingerprint of the parts that the user agreed to complete without a file. */
  acceptedFingerprint: z.string().nullable(),
  /** True if the user also confirmed that missing part numbers stay missing. */
  acceptGaps: z.boolean(),
  /**
   * The object at the key when the user agreed to replace it. If null, the owner's `confirmComplete` decides just before the
   * Complete request.
   */
  agreed: standingObjectSchema.nullable().default(null),
  /** A different object that was found at the key after the user agreed. If the user retries the job, it may be replaced. */
  inTheWay: standingObjectSchema.nullable().default(null),
  /** True if the Complete request may carry a condition, which some services do not support. */
  withConditions: z.boolean().default(true),
  /** No Complete request may be sent before this time, because one from an earlier job may still be running. */
  quietUntilMs: momentMs,
  progress: z.object({
    partsTotal: z.int(),
    partsDone: z.int(),
    bytesTotal: z.number(),
    bytesDone: z.number(),
  }),
  /**
   * The completion, from the moment its intent is stored; null before, and again if certainly no Complete request was applied.
   */
  completion: completionSchema.nullable(),
  /** The number of consecutive failures without progress. */
  failures: z.int(),
  /** How often the completion was planned again because the parts or the object at the key had changed. */
  rounds: z.int(),
  pauseRequested: z.boolean(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  /** True if the object is proved by HEAD but reading its bytes is not permitted. */
  isUnread: z.boolean().default(false),
  /** The reason for the wait until the next check of an unknown outcome, with its deadline. */
  waiting: z
    .object({ kind: z.enum(jobWaits), untilMs: momentMs.nullable() })
    .nullable()
    .default(null),
  error: z.nullable(appErrorSchema),
  partNumbers: z.array(z.int()),
});

export type Completion = Readonly<z.infer<typeof completionSchema>>;
export type UploadJob = Readonly<z.infer<typeof uploadJobSchema>> & BaseJob;

/** Returns the lock of an upload. It contains no connection, so that two jobs of one upload never run at the same time. */
export function lockKeyOf(ref: {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
}): string {
  return JSON.stringify([ref.bucket, ref.key, ref.uploadId]);
}

/** Returns the job as the window shows it. `isSilent` is true if its Complete request has had no response for long. */
export function uploadModel(job: UploadJob, live: Live | null, isSilent: boolean): Job {
  const { progress } = job;
  const bytesDone = live?.bytesDone ?? progress.bytesDone;
  const speed = live?.bytesPerSecond ?? null;
  const remainingMs =
    speed === null || speed <= 0 ? null : Math.round(((progress.bytesTotal - bytesDone) / speed) * 1000);
  return {
    ...baseModel(job),
    bucket: job.bucket,
    key: job.key,
    uploadId: job.uploadId,
    fileName: job.file?.name ?? null,
    partsTotal: progress.partsTotal,
    partsDone: live?.partsDone ?? progress.partsDone,
    bytesTotal: progress.bytesTotal,
    bytesDone,
    speedBytesPerSecond: speed,
    remainingMs,
    completeAttempts: job.completion?.attempts ?? 0,
    ...(job.isUnread ? { notReadBack: true } : {}),
    ...waitOf(job, isSilent),
    partNumbers: [...job.partNumbers],
    pauseRequested: job.pauseRequested,
    ...(job.inTheWay === null ? {} : { inTheWay: job.inTheWay }),
  };
}

function waitOf(job: UploadJob, isSilent: boolean): Pick<Job, 'waitsFor' | 'waitsUntil'> {
  if (job.state === 'completing') return isSilent ? { waitsFor: 'complete-answer' } : {};
  if (job.waiting === null) return {};
  const { kind, untilMs } = job.waiting;
  return { waitsFor: kind, waitsUntil: untilMs === null ? null : new Date(untilMs).toISOString() };
}

/** Returns the error for a second job on the same upload. */
export function jobExists(): Error {
  return failure('conflict', 'A job for this upload already exists.', {
    reason: 'job-exists',
    retry: 'after-fix',
  });
}

/**
 * Throws if the job prevents an abort of its upload: the job is an abort itself, or its Complete request has an unknown outcome.
 */
export function refuseAbortBeside(job: UploadJob): void {
  if (job.kind === 'abort') throw jobExists();
  if (job.completion === null) return;
  throw failure('conflict', "The outcome of this upload's completion is unknown. Cancel its job first.", {
    reason: 'outcome-unknown',
    retry: 'after-fix',
  });
}
