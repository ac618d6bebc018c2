import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { batchFactsSchema } from './batches.ts';
import { itemCountsSchema } from './transfers.ts';
import { jobKinds, undoableKinds } from './job-kinds.ts';
import { standingObjectSchema } from './stalled.ts';

/** `aborting`: an upload is being aborted, or a cancelled job undone. `done` and `cancelled` are final. */
export const jobStates = [
  'waiting',
  'listing-parts',
  'verifying-parts',
  'sending-parts',
  'completing',
  'verifying-outcome',
  'aborting',
  /** Transfers: listing the files or objects to transfer. */
  'preparing',
  'transferring',
  'retry-scheduled',
  'paused',
  'needs-attention',
  'done',
  'cancelled',
] as const;

/** Why a job is stopped (paused, needs-attention). */
export const jobReasons = [
  'by-user',
  'needs-new-keys',
  'disk-full',
  /** The disk has space, but the quota of this account is used up. */
  'quota-full',
  'connection-missing',
  'file-wanted',
  'file-missing',
  'file-changed',
  'file-unreadable',
  /** The stored record of the job's parts cannot be read. Sending or completing them could store wrong bytes. */
  'record-damaged',
  'wrong-file',
  'cannot-complete',
  'upload-gone',
  'parts-changed',
  'parts-rejected',
  /** The service refuses a CompleteMultipartUpload that omits stored parts. */
  'subset-refused',
  'access-denied',
  'refused',
  'outcome-unclear',
  'lost',
  'overwritten',
  /** HEAD succeeds, but the service does not return the object. */
  'object-unreadable',
  /** The service lists the upload's parts, but responds to CompleteMultipartUpload that the upload does not exist. */
  'upload-contradicted',
  /** The service reports success, but creates no object from the parts. */
  'not-carried-out',
  /** The object at the key has changed since the user agreed to replace it. Found just before CompleteMultipartUpload. */
  'target-changed',
  'not-sent',
  'broken',
  /** Transfers: the target already exists, and the user has to choose what to do. */
  'conflicts',
  /** Downloads: hidden files would go into the home folder, and the user has to choose what to do. */
  'hidden-files',
  /** Some items in a transfer failed and can be retried. All others are done. */
  'items-failed',
  /** S3 Batch Operations: another object exists at the manifest's key. */
  'manifest-taken',
  /** S3 Batch Operations: the service has read the manifest, and the job waits for the user to confirm it. */
  'batch-confirm',
  /** S3 Batch Operations: the service reports the job as failed. */
  'batch-failed',
  /** S3 Batch Operations: the service processed the manifest, but some objects failed. */
  'batch-items-failed',
  /** An internal error stopped this job. */
  'program-fault',
] as const;

/** The result of a finished job. */
export const jobOutcomes = [
  /** The object exists with the expected size and ETag. */
  'completed',
  /** The service reports success, but the object could not be read to verify it. */
  'completed-unchecked',
  /** The object has the right bytes, but it is not known which upload created it. */
  'wanted-bytes',
  /** Size and time match, but the ETag could not be computed. */
  'probably-completed',
  'aborted',
  /** The service accepted AbortMultipartUpload, but the parts could not be listed to verify it. */
  'aborted-unchecked',
  'already-gone',
  'uploaded',
  'downloaded',
  'copied',
  'moved',
  /** Moved one item to another name. */
  'renamed',
  /** Removed delete markers, or copied an older version over its object. */
  'restored',
  'deleted',
  /** Deleted with all its contents. */
  'bucket-deleted',
  'changed',
  'aborted-many',
  'completed-many',
  'resumed-many',
  /** S3 Batch Operations: the service processed the whole manifest. */
  'batch-complete',
  /** A cancelled move: all copies were removed, and the sources are unchanged. */
  'undone',
  /** A cancelled move: some items had already been moved, and stay moved. */
  'partly-moved',
] as const;

/** The conditions on the service that a job may wait for. */
export const jobWaits = [
  /** CompleteMultipartUpload was sent a while ago and has no response yet. */
  'complete-answer',
  /** The outcome of CompleteMultipartUpload is unknown. The parts are still listed, so the service may be assembling them. */
  'assembling',
  /** The upload no longer exists, but its object does not exist yet. */
  'appearing',
  /** The service does not respond to the requests that check the outcome. */
  'answer',
  /** The object exists, but cannot be read yet. */
  'reading',
  /** The service lists the parts of an upload, but reports that the upload does not exist. */
  'contradiction',
  /** The service is running its own batch job. */
  'batch',
] as const;

export const jobSchema = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  state: z.enum(jobStates),
  connectionId: z.string(),
  bucket: z.string(),
  key: z.string(),
  uploadId: z.string(),
  /** The name of the local file for display, but never its path. */
  fileName: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** When the current state began, for "the service is assembling the object, 3 min so far". */
  stateSince: z.string(),
  partsTotal: z.int(),
  partsDone: z.int(),
  bytesTotal: z.number(),
  /** The bytes read during verification. During sending, the stored bytes, including verified bytes. */
  bytesDone: z.number(),
  speedBytesPerSecond: z.number().nullable(),
  remainingMs: z.number().nullable(),
  /** The time at which the job retries, unless the user retries earlier. Null if no retry is scheduled. */
  retryAt: z.string().nullable(),
  /** Set while a running job waits because the service asked for a wait. The user can retry now. */
  wait: z.object({ until: z.string(), error: appErrorSchema }).optional(),
  /** How often CompleteMultipartUpload was sent. */
  completeAttempts: z.int(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  error: z.nullable(appErrorSchema),
  /** The parts to which `reason` refers: rejected or changed parts. */
  partNumbers: z.array(z.int()),
  /** True if HeadObject confirmed the outcome, but the access key may not read the object. */
  notReadBack: z.boolean().optional(),
  /** The condition on the service for which a running job waits. Absent if it does not wait. */
  waitsFor: z.enum(jobWaits).optional(),
  /** The time at which the job stops waiting for `waitsFor` and takes the next step. Null or absent without a limit. */
  waitsUntil: z.string().nullable().optional(),
  /** True if a pause was requested while the service assembles the object. The pause takes effect once the response arrives. */
  pauseRequested: z.boolean(),
  /** For reason `target-changed`: the object at the key, which is replaced if the user agrees. */
  inTheWay: standingObjectSchema.optional(),
  /** Item counts of a file transfer, by result. Absent for jobs of one stalled upload. */
  items: itemCountsSchema.optional(),
  /** Sync only: how many finished items were deletions, and how many the plan left unchanged or skipped. */
  sync: z.object({ removed: z.int(), unchanged: z.int(), skipped: z.int() }).optional(),
  /** The number of chosen files, folders or objects besides the one in the job's name. Absent if there are no others. */
  moreChosen: z.int().optional(),
  /** True if the user chose all results of a search. The job's name is then that of the searched folder or bucket. */
  isOfSearch: z.literal(true).optional(),
  /** S3 Batch Operations only. */
  batch: batchFactsSchema.optional(),
  /** True for a move of one item to another name in its folder. Absent for any other job. */
  isRename: z.literal(true).optional(),
  /** True if the job removes delete markers to restore deleted objects. */
  isRestore: z.literal(true).optional(),
  /** Set if the job undoes another operation, or with `isRedo` repeats an undone one. */
  undoes: z
    .object({ kind: z.enum([...undoableKinds, 'restore', 'new-folder']), isRedo: z.boolean() })
    .optional(),
  /** The target of a copy or move. */
  target: z.object({ connectionId: z.string(), bucket: z.string(), prefix: z.string() }).optional(),
});

export const attemptSchema = z.object({
  id: z.int(),
  at: z.string(),
  /** The kind of request or step: list-parts, head-object, upload-part, complete, abort, hash … */
  request: z.string(),
  partNumber: z.int().nullable(),
  status: z.int().nullable(),
  requestId: z.string().nullable(),
  /** Null if the attempt succeeded. */
  error: z.nullable(appErrorSchema),
  note: z.string().nullable(),
});

export const jobFilterSchema = z.object({
  states: z.array(z.enum(jobStates)).nullable(),
  connectionId: z.string().nullable(),
  /** Text to find in the job's bucket, key, file or target. Absent: all jobs. */
  text: z.string().max(1024).optional(),
});

/** Before or after all other waiting jobs. */
export const turns = ['first', 'last'] as const;

export const jobCountsSchema = z.object({
  total: z.int(),
  byState: z.partialRecord(z.enum(jobStates), z.int()),
  /** The number of job records that could not be read and were set aside. */
  broken: z.int(),
  /** Sums over the jobs that are neither stopped nor in a final state. */
  bytesTotal: z.number(),
  bytesDone: z.number(),
});

export const jobSettingsSchema = z.object({
  parallelParts: z.int().min(1).max(64),
  jobsAtOnce: z.int().min(1).max(64),
  /** Null for no limit. */
  bandwidthBytesPerSecond: z.number().min(1024).nullable(),
});

/** The fields of a job that was just finished, paused or stopped. With them, a window counts the job and reloads its folders. */
export const settledJobSchema = jobSchema.pick({
  id: true,
  kind: true,
  state: true,
  reason: true,
  connectionId: true,
  bucket: true,
  target: true,
});

/** The changes since the previous event. At most four events are sent per second. */
export const jobsEventSchema = z.object({
  /** The jobs that changed, at most 200. `reload` is true if more jobs changed. */
  changed: z.array(jobSchema),
  removed: z.array(z.string()),
  reload: z.boolean(),
  counts: jobCountsSchema,
  /** All jobs that have settled since the last event, also those that the user paused or cancelled. Each is sent once. */
  settled: z.array(settledJobSchema),
});

export type JobState = (typeof jobStates)[number];
export type JobReason = (typeof jobReasons)[number];
export type JobOutcome = (typeof jobOutcomes)[number];
export type JobWait = (typeof jobWaits)[number];
export type Job = Readonly<z.infer<typeof jobSchema>>;
export type SettledJob = Readonly<z.infer<typeof settledJobSchema>>;
export type Attempt = Readonly<z.infer<typeof attemptSchema>>;
export type Turn = (typeof turns)[number];
export type JobFilter = Readonly<z.infer<typeof jobFilterSchema>>;
export type JobCounts = Readonly<z.infer<typeof jobCountsSchema>>;
export type JobSettings = Readonly<z.infer<typeof jobSettingsSchema>>;
export type JobsEvent = Readonly<z.infer<typeof jobsEventSchema>>;

export const defaultJobSettings: JobSettings = {
  parallelParts: 4,
  jobsAtOnce: 3,
  bandwidthBytesPerSecond: null,
};
