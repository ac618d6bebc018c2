import { z } from 'zod';
import { uploadRefSchema, partRunSchema, standingObjectSchema } from './stalled.ts';

export const planRefusals = [
  'too-short',
  'all-differ',
  'too-many-parts',
  'part-too-large',
  'upload-gone',
  'file-changed',
] as const;

const layoutSources = [
  /** All parts except the highest have this size. */
  'shared-size',
  /** Found by comparing hashes at likely offsets. */
  'by-hash',
  /** Parts of several sizes, one after another. */
  'cumulative',
  /** Chosen freely, because no parts are stored. */
  'chosen',
] as const;

/** The plan for resuming an upload from a file, made before anything is sent. */
const uploadPlanSchema = z.object({
  planId: z.string(),
  ref: uploadRefSchema,
  fileName: z.string(),
  fileSizeBytes: z.number(),
  refusal: z.enum(planRefusals).nullable(),
  /** The size of each part except the last, which contains the rest. */
  partSizeBytes: z.number(),
  layoutSource: z.enum(layoutSources),
  partsTotal: z.int(),
  partsVerified: z.int(),
  partsDiffer: z.int(),
  partsUnverifiable: z.int(),
  partsMissing: z.int(),
  /** The number of stored parts below the minimum size. They are sent again, larger. */
  partsTooSmall: z.int(),
  /** The number of parts beyond the file's end, which are left out of the object. */
  partsSurplus: z.int(),
  /**
   * Stored parts wholly or partly beyond the file's end, if everything else matches: the file is the beginning of a longer one.
   * With the refusal `too-short`, resuming requires the option `leaveOut`.
   */
  partsBeyond: z.array(z.object({ from: z.int(), to: z.int() })),
  /** The first of `partsBeyond`, if it begins within the file. A shorter part replaces it. */
  partReplaced: z.int().nullable(),
  /** False if the service is known to refuse a CompleteMultipartUpload that omits stored parts. */
  mayLeaveOut: z.boolean(),
  /** A part arrived within the last 15 minutes. */
  stillBeingWritten: z.boolean(),
  /** The bytes to send if the user accepts parts that cannot be verified. The next field includes these parts as well. */
  bytesToSend: z.number(),
  bytesToSendWithUnverifiable: z.number(),
  runs: z.array(partRunSchema),
  standing: standingObjectSchema,
  expectedEtag: z.string().nullable(),
  checksumAlgorithm: z.string().nullable(),
  /** The recent upload speed in bytes per second, or null before the first part. */
  recentBytesPerSecond: z.number().nullable(),
});

export const planEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('progress'),
    step: z.enum(['listing', 'hashing']),
    bytesHashed: z.number(),
    bytesToHash: z.number(),
  }),
  z.object({ kind: z.literal('plan'), plan: uploadPlanSchema }),
]);

export const resumeOptionsSchema = z.object({
  /** Null for the value from the settings. */
  parallelParts: z.int().min(1).max(64).nullable(),
  bandwidthBytesPerSecond: z.number().min(1024).nullable(),
  /** The user has confirmed that parts that cannot be verified are used unchanged. Otherwise they are sent again. */
  acceptUnverified: z.boolean(),
  /** The user has confirmed that stored parts beyond the file's end are left out, while all other parts match the file. */
  leaveOut: z.boolean().optional(),
});

/** The file to send in a new upload. It is from a plan, or from a job that could not finish its upload. */
export const newUploadInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan'), planId: z.string() }),
  z.object({ kind: z.literal('job'), jobId: z.string() }),
]);

/** A file in the chosen folder that matches an upload by name and possibly by size. */
export const fileMatchSchema = z.object({
  ref: uploadRefSchema,
  handle: z.string().nullable(),
  fileName: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  /** The reason why no file was matched, or the doubt about the matched file. */
  problem: z.enum(['none-found', 'several-found', 'too-short']).nullable(),
});

export type PlanRefusal = (typeof planRefusals)[number];
export type LayoutSource = (typeof layoutSources)[number];
export type UploadPlan = Readonly<z.infer<typeof uploadPlanSchema>>;
export type PlanEvent = Readonly<z.infer<typeof planEventSchema>>;
export type ResumeOptions = Readonly<z.infer<typeof resumeOptionsSchema>>;
export type NewUploadInput = Readonly<z.infer<typeof newUploadInputSchema>>;
export type FileMatch = Readonly<z.infer<typeof fileMatchSchema>>;
