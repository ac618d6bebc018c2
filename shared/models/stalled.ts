import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { foreignSchema, placeSchema, unreadableEntrySchema } from './objects.ts';

export const minPartBytes = 5 * 1024 * 1024;
export const maxPartBytes = 5 * 1024 * 1024 * 1024;
export const maxPartCount = 10_000;

/** A part younger than this many milliseconds means that another client is still writing. */
export const stillWritingMs = 15 * 60_000;

export const uploadRefSchema = placeSchema.extend({ key: z.string(), uploadId: z.string() });

/** The uploads of a selection, up to 10,000 in one call. */
export const uploadRefsSchema = z.array(uploadRefSchema).min(1).max(10_000);

/** The verdicts about an upload. The first that applies is shown. `unread`: its parts have not been listed yet. */
export const verdicts = [
  'unread',
  'could-not-be-read',
  'still-being-written',
  'empty',
  'has-gaps',
  'has-small-parts',
  'no-gaps',
] as const;

/** The totals of an upload's parts. */
const partsSummarySchema = z.object({
  partCount: z.int(),
  storedBytes: z.number(),
  highestPartNumber: z.int(),
  /** The number of missing part numbers below the highest. */
  gapCount: z.int(),
  /** The number of parts below 5 MiB, except the last. */
  smallCount: z.int(),
  /** The common size of all parts except the highest, or null if sizes differ. */
  partSizeBytes: z.number().nullable(),
  /** True if the highest part is as large as all others, so that more parts were probably still to be sent. */
  lastPartIsFull: z.boolean(),
  lastPartAt: z.string().nullable(),
});

export const uploadRowSchema = z.object({
  /** The number of the row within its scan, independent of the sort order. */
  id: z.int(),
  bucket: z.string(),
  key: z.string(),
  uploadId: z.string(),
  initiatedAt: z.string().nullable(),
  initiator: z.string().nullable(),
  storageClass: z.string().nullable(),
  verdict: z.enum(verdicts),
  parts: partsSummarySchema.nullable(),
  error: z.nullable(appErrorSchema),
});

export const scanEventSchema = z.object({
  scanId: z.string(),
  found: z.int(),
  bucketsDone: z.int(),
  bucketsTotal: z.int(),
  errors: z.array(z.object({ bucket: z.string().nullable(), error: appErrorSchema })),
  /** Entries that cannot be read: the raw response, and the reason. */
  unreadable: z.array(unreadableEntrySchema),
  foreign: foreignSchema,
  finished: z.boolean(),
});

export const uploadSortKeys = [
  'key',
  'bucket',
  'begun',
  'parts',
  'bytes',
  'storage-class',
  'initiator',
  'last-part',
  'verdict',
] as const;

export const uploadSortSchema = z.object({ by: z.enum(uploadSortKeys), descending: z.boolean() });

/** Groups by the age of an upload: under a day, a week, 30 days, 90 days, a year, older, or start not reported. */
export const uploadAges = ['day', 'week', 'month', 'quarter', 'year', 'older', 'unknown'] as const;

export const uploadFilterSchema = z.object({
  /** A text that the key contains, or '' for all keys. */
  text: z.string(),
  verdicts: z.array(z.enum(verdicts)).nullable(),
  bucket: z.string().nullable(),
  /** Matches uploads that were started before this time. */
  begunBefore: z.string().nullable(),
  /**
   * The client that started the uploads. '' matches uploads whose initiator the service does not report; absent or null matches
   * any initiator.
   */
  initiator: z.string().nullable().optional(),
  /** Absent or null for any age. */
  age: z.enum(uploadAges).nullable().optional(),
});

/** Totals of all rows of a scan, regardless of the filter. */
const uploadTotalsSchema = z.object({
  /** The sum over rows whose parts have been read. */
  storedBytes: z.number(),
  unread: z.int(),
  /** The earliest start of an upload, or null if no row has a start. */
  oldestAt: z.string().nullable(),
});

/** The totals of uploads with the same bucket, client or age. */
const uploadGroupSchema = z.object({
  /** The bucket, the client ('' if not reported), or the age. '' for the total of all uploads. */
  name: z.string(),
  uploads: z.int(),
  /** The sum over uploads whose parts have been read. */
  storedBytes: z.number(),
  unread: z.int(),
  oldestAt: z.string().nullable(),
  /** The input for cost estimates. `byteDays` adds up bytes times days since the start for all uploads. */
  stored: z.array(z.object({ storageClass: z.string(), sizeBytes: z.number(), byteDays: z.number() })),
});

/** All uploads of a scan in groups, sorted by bytes, then by number of uploads. Age groups are in the order of `uploadAges`. */
export const uploadSummarySchema = z.object({
  all: uploadGroupSchema,
  byBucket: z.array(uploadGroupSchema),
  byInitiator: z.array(uploadGroupSchema),
  byAge: z.array(uploadGroupSchema),
});

export const uploadRowsSchema = z.object({
  rows: z.array(uploadRowSchema),
  /** The number of rows that pass the filter. */
  total: z.int(),
  /** The number of these rows with unread parts. Sorting by parts is incomplete without them. */
  unread: z.int(),
  /** The number of all rows in the scan. */
  found: z.int(),
  totals: uploadTotalsSchema,
});

export const partStates = ['present', 'missing', 'too-small', 'verified', 'differs', 'unverifiable'] as const;

/** Consecutive parts (from..to) in the same state, for the bar that shows all parts of an upload. */
export const partRunSchema = z.object({ from: z.int(), to: z.int(), state: z.enum(partStates) });

export const partRowSchema = z.object({
  partNumber: z.int(),
  state: z.enum(partStates),
  sizeBytes: z.number().nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** For example `crc32: 7wq3TQ==`. */
  checksum: z.string().nullable(),
});

export const standingObjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('present'),
    sizeBytes: z.number(),
    etag: z.string().nullable(),
    lastModified: z.string().nullable(),
    versionId: z.string().nullable(),
  }),
  z.object({ kind: z.literal('unreadable'), error: appErrorSchema }),
]);

export const completionProblems = [
  'could-not-be-read',
  'upload-gone',
  'no-parts',
  'part-too-small',
  'too-many-parts',
  /** Uploads with checksums require consecutive part numbers from 1. */
  'gaps-with-checksums',
  'job-exists',
] as const;

/** The result of checking whether an upload can be completed in its current state, and the object it would create. */
export const completionCheckSchema = z.object({
  ref: uploadRefSchema,
  problem: z.enum(completionProblems).nullable(),
  error: z.nullable(appErrorSchema),
  partCount: z.int(),
  sizeBytes: z.number(),
  /** hex(md5(concatenated binary part MD5s))-N, or null if the parts' ETags are not MD5. */
  expectedEtag: z.string().nullable(),
  /** Ranges of missing part numbers. The object will not contain these parts. */
  gaps: z.array(z.object({ from: z.int(), to: z.int() })),
  /** The parts that prevent completion (too small). */
  partNumbers: z.array(z.int()),
  stillBeingWritten: z.boolean(),
  lastPartIsFull: z.boolean(),
  standing: standingObjectSchema,
  /** Identifies the checked parts. Completing a different set of parts is refused. */
  fingerprint: z.string(),
});

export const completionRequestSchema = z.object({
  ref: uploadRefSchema,
  /** The fingerprint of the check that the user confirmed. */
  fingerprint: z.string(),
  /** The object at the key during the check. No other object may be replaced. */
  standing: standingObjectSchema,
  /** True if the user also confirmed that the object will lack the missing parts. */
  acceptGaps: z.boolean(),
});

export const uploadDetailSchema = z.object({
  ref: uploadRefSchema,
  initiatedAt: z.string().nullable(),
  initiator: z.string().nullable(),
  storageClass: z.string().nullable(),
  checksumAlgorithm: z.string().nullable(),
  checksumType: z.string().nullable(),
  verdict: z.enum(verdicts),
  parts: partsSummarySchema,
  runs: z.array(partRunSchema),
  check: completionCheckSchema,
  /** The unfinished job for this upload, or null. */
  jobId: z.string().nullable(),
});

export type UploadRef = Readonly<z.infer<typeof uploadRefSchema>>;
export type Verdict = (typeof verdicts)[number];
export type PartsSummary = Readonly<z.infer<typeof partsSummarySchema>>;
export type UploadRow = Readonly<z.infer<typeof uploadRowSchema>>;
export type ScanEvent = Readonly<z.infer<typeof scanEventSchema>>;
export type UploadSort = Readonly<z.infer<typeof uploadSortSchema>>;
export type UploadFilter = Readonly<z.infer<typeof uploadFilterSchema>>;
export type UploadTotals = Readonly<z.infer<typeof uploadTotalsSchema>>;
export type UploadAge = (typeof uploadAges)[number];
export type UploadGroup = Readonly<z.infer<typeof uploadGroupSchema>>;
export type UploadSummary = Readonly<z.infer<typeof uploadSummarySchema>>;
export type UploadRows = Readonly<z.infer<typeof uploadRowsSchema>>;
export type PartState = (typeof partStates)[number];
export type PartRun = Readonly<z.infer<typeof partRunSchema>>;
export type PartRow = Readonly<z.infer<typeof partRowSchema>>;
export type StandingObject = Readonly<z.infer<typeof standingObjectSchema>>;
export type CompletionProblem = (typeof completionProblems)[number];
export type CompletionCheck = Readonly<z.infer<typeof completionCheckSchema>>;
export type CompletionRequest = Readonly<z.infer<typeof completionRequestSchema>>;
export type UploadDetail = Readonly<z.infer<typeof uploadDetailSchema>>;
