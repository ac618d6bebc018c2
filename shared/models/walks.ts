import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { foreignSchema, objectEntrySchema } from './objects.ts';

/** The pattern of names. Checked when the walk begins: a bad one is `invalid-argument`, reason `pattern-invalid`. */
export const namePatternSchema = z.object({
  /**
   * `glob`: `*` and `?` stay inside one folder, `**` does not, `[a-z]`, `{jpg,png}`.
   * `regex`: as in JavaScript; one that takes too long ends the walk with reason `pattern-slow`.
   */
  kind: z.enum(['contains', 'glob', 'regex']),
  text: z.string().min(1).max(1000),
  caseSensitive: z.boolean(),
  /** `name`: what follows the last `/`; `path`: all that follows the walk's prefix. A glob with a `/` always means the path. */
  in: z.enum(['name', 'path']),
});

/** All conditions hold together; null: any. */
export const walkQuerySchema = z.object({
  name: namePatternSchema.nullable(),
  /** Both ends belong to the range. */
  minSizeBytes: z.int().min(0).nullable(),
  maxSizeBytes: z.int().min(0).nullable(),
  /** From this moment on … */
  modifiedFrom: z.iso.datetime().nullable(),
  /** … and before this one. An object without a time passes neither. */
  modifiedBefore: z.iso.datetime().nullable(),
  /** As the service names them; one that says nothing stores in STANDARD. */
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

/** Counts and bytes of one kind. */
export const walkSumSchema = z.object({ keys: z.int(), sizeBytes: z.number() });

/** How far a walk is. The numbers are "so far" unless the state is `done`. */
export const walkStatusSchema = z.object({
  walkId: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  /** null: the size of the folder alone; nothing is kept of the keys. */
  query: walkQuerySchema.nullable(),
  state: z.enum(walkStates),
  startedAt: z.string(),
  durationMs: z.number(),
  /** Everything below the prefix. */
  keys: z.int(),
  sizeBytes: z.number(),
  byStorageClass: z.array(walkSumSchema.extend({ storageClass: z.string() })),
  /** The number of matches; 0 without a query. */
  matches: z.int(),
  matchedBytes: z.number(),
  /** Left out: it was not asked for. */
  foreign: foreignSchema,
  requests: z.int(),
  /** Pieces of the key space that are being listed now. */
  pieces: z.int(),
  /** Keys came out of order: what was found was discarded, and the service is listed from end to end. */
  isSequential: z.boolean(),
  /** Why it failed. */
  error: z.nullable(appErrorSchema),
  /** When what it looks through was listed; null: it lists the service. */
  takenAt: z.string().nullable(),
});

/** `found`: the order they were found in, which never changes under the reader; `key`: by the bytes of UTF-8. */
export const walkSortSchema = z.object({
  by: z.enum(['found', 'key', 'size', 'modified']),
  descending: z.boolean(),
});

export const walkRowsSchema = z.object({ rows: z.array(objectEntrySchema), total: z.int() });

/** One folder directly below the prefix of the walk. */
export const walkChildSchema = walkSumSchema.extend({ prefix: z.string() });

export const walkChildrenSchema = z.object({ children: z.array(walkChildSchema), total: z.int() });

export const walkExportSchema = z.discriminatedUnion('kind', [
  /** Written where the user chose, in the system's own dialog. */
  z.object({ kind: z.literal('saved'), fileName: z.string(), rows: z.int() }),
  /** The dialog was closed. */
  z.object({ kind: z.literal('cancelled') }),
  /** A host without dialogs: the window opens this short-lived address (`/bytes/…`), which downloads. */
  z.object({ kind: z.literal('download'), path: z.string(), fileName: z.string() }),
]);

export type NamePattern = Readonly<z.infer<typeof namePatternSchema>>;
export type WalkQuery = Readonly<z.infer<typeof walkQuerySchema>>;
export type WalkState = (typeof walkStates)[number];
export type WalkStatus = Readonly<z.infer<typeof walkStatusSchema>>;
export type WalkSort = Readonly<z.infer<typeof walkSortSchema>>;
export type WalkRows = Readonly<z.infer<typeof walkRowsSchema>>;
export type WalkChild = Readonly<z.infer<typeof walkChildSchema>>;
export type WalkChildren = Readonly<z.infer<typeof walkChildrenSchema>>;
export type WalkExport = Readonly<z.infer<typeof walkExportSchema>>;

/** `manifest`: for jobs of S3 Batch Operations, and others that read its lists of buckets and keys. */
export const exportFormatSchema = z.enum(['csv', 'json', 'manifest']);
export type ExportFormat = z.infer<typeof exportFormatSchema>;
