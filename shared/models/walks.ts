import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { foreignSchema, objectEntrySchema } from './objects.ts';

/** A name pattern. Starting a walk with an invalid pattern throws `invalid-argument`, reason `pattern-invalid`. */
const namePatternSchema = z.object({
  /**
   * In a `glob`, `*` and `?` match within one folder and `**` across folders; `[a-z]` and `{jpg,png}` also work. A `regex` is as
   * in JavaScript. A regex that takes too long ends the walk with reason `pattern-slow`.
   */
  kind: z.enum(['contains', 'glob', 'regex']),
  text: z.string().min(1).max(1000),
  caseSensitive: z.boolean(),
  /**
   * `name` is the part after the last `/`, and `path` the part after the walk's prefix. A glob with a `/` always matches the
   * path.
   */
  in: z.enum(['name', 'path']),
});

/** The conditions that an object has to meet, all of them. Null means no condition. */
export const walkQuerySchema = z.object({
  name: namePatternSchema.nullable(),
  /** The smallest size, inclusive, like the largest. */
  minSizeBytes: z.int().min(0).nullable(),
  maxSizeBytes: z.int().min(0).nullable(),
  /** The earliest modification time, inclusive. */
  modifiedFrom: z.iso.datetime().nullable(),
  /** The end of the range of times, exclusive. An object without a time meets neither condition. */
  modifiedBefore: z.iso.datetime().nullable(),
  /** The storage class as reported by the service, or STANDARD if it reports none. */
  storageClasses: z.array(z.string().max(100)).max(50).nullable(),
});

/** Matches everything below the prefix. */
export const everyObject: Readonly<z.infer<typeof walkQuerySchema>> = {
  name: null,
  minSizeBytes: null,
  maxSizeBytes: null,
  modifiedFrom: null,
  modifiedBefore: null,
  storageClasses: null,
};

export const walkStates = ['running', 'done', 'stopped', 'failed'] as const;

/** A count of keys and their bytes. */
const walkSumSchema = z.object({ keys: z.int(), sizeBytes: z.number() });

/** The status of a walk (a listing of all keys). Numbers are provisional until the state is `done`. */
export const walkStatusSchema = z.object({
  walkId: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  /** The conditions of the search. With null, the walk only computes the size of the folder and stores no keys. */
  query: walkQuerySchema.nullable(),
  state: z.enum(walkStates),
  startedAt: z.string(),
  durationMs: z.number(),
  /** Everything below the prefix. */
  keys: z.int(),
  sizeBytes: z.number(),
  byStorageClass: z.array(walkSumSchema.extend({ storageClass: z.string() })),
  /** The number of matches, or 0 without a query. */
  matches: z.int(),
  matchedBytes: z.number(),
  /** Listed entries outside the prefix, which are omitted. */
  foreign: foreignSchema,
  requests: z.int(),
  /** Pieces of the key space that are being listed now. */
  pieces: z.int(),
  /** Keys were out of order: the results were discarded, and the service is listed sequentially. */
  isSequential: z.boolean(),
  /** The reason of a failure. */
  error: z.nullable(appErrorSchema),
  /**
   * The prefix that was searched because listing all of `prefix` was denied. It is the start of the connection. Null if
   * everything below `prefix` was listed.
   */
  onlyBelow: z.string().nullable(),
  /** The time when the searched catalogue was listed, or null if the walk lists the service. */
  takenAt: z.string().nullable(),
  /** How often changes of keys by this program were applied to the results. Zero for results as they were found. */
  changes: z.int(),
  /** This program has since written objects that the results do not contain, or not as they are now. */
  isOutdated: z.boolean(),
});

/** `found` is the order of discovery, which is stable while results arrive. `key` is the order by UTF-8 bytes. */
export const walkSortSchema = z.object({
  by: z.enum(['found', 'key', 'size', 'modified']),
  descending: z.boolean(),
});

export const walkChildSortSchema = z.object({
  by: z.enum(['prefix', 'size', 'keys']),
  descending: z.boolean(),
});

export const walkRowsSchema = z.object({ rows: z.array(objectEntrySchema), total: z.int() });

/** One folder directly below the prefix of the walk. */
const walkChildSchema = walkSumSchema.extend({ prefix: z.string() });

export const walkChildrenSchema = z.object({ children: z.array(walkChildSchema), total: z.int() });

export const walkExportSchema = z.discriminatedUnion('kind', [
  /** Written to the location that the user chose in the system's dialog. */
  z.object({ kind: z.literal('saved'), fileName: z.string(), rows: z.int() }),
  /** The user closed the dialog. */
  z.object({ kind: z.literal('cancelled') }),
  /** A host without dialogs: the window opens this short-lived address (`/bytes/…`), which downloads. */
  z.object({ kind: z.literal('download'), path: z.string(), fileName: z.string() }),
]);

export type NamePattern = Readonly<z.infer<typeof namePatternSchema>>;
export type WalkQuery = Readonly<z.infer<typeof walkQuerySchema>>;
export type WalkState = (typeof walkStates)[number];
export type WalkStatus = Readonly<z.infer<typeof walkStatusSchema>>;
export type WalkSort = Readonly<z.infer<typeof walkSortSchema>>;
export type WalkChildSort = Readonly<z.infer<typeof walkChildSortSchema>>;
export type WalkRows = Readonly<z.infer<typeof walkRowsSchema>>;
export type WalkChild = Readonly<z.infer<typeof walkChildSchema>>;
export type WalkChildren = Readonly<z.infer<typeof walkChildrenSchema>>;
export type WalkExport = Readonly<z.infer<typeof walkExportSchema>>;

/**
 * `csv-bom`: CSV with a byte order mark, without which Excel does not recognise UTF-8. `manifest`: a list of buckets and keys for
 * S3 Batch Operations and compatible tools.
 */
export const exportFormatSchema = z.enum(['csv', 'csv-bom', 'json', 'manifest']);
export const csvFormatSchema = z.enum(['csv', 'csv-bom']);
export type ExportFormat = z.infer<typeof exportFormatSchema>;
export type CsvFormat = z.infer<typeof csvFormatSchema>;
