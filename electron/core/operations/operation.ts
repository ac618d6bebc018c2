import { z } from 'zod';
import { changePatchSchema, selectionSchema, versionModes } from '../../../shared/models/operations.ts';

/** What a job of operations was asked to do. */
export const operationSchema = z.object({
  items: selectionSchema,
  /** Copies: `prefix` takes the place of the job's own prefix at the beginning of each key. */
  to: z.object({ connectionId: z.string(), bucket: z.string(), prefix: z.string() }).nullable(),
  versions: z.enum(versionModes),
  patch: changePatchSchema.nullable(),
});

const seenSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  versionId: z.string().nullable(),
  /** Told by a listing, which names no version, and times more exactly than a header does. */
  isListed: z.boolean().optional(),
});

/** How far the copy of one object is. On disk before each request that changes something. */
export const copyStateSchema = z.object({
  /** copied: verified. deleting: the source is about to go, or is gone. */
  stage: z.enum(['copying', 'copied', 'deleting']),
  /** Whether the target was free when the copy began: only then an undo may remove it. */
  targetWasFree: z.boolean(),
  /** What was copied. */
  source: seenSchema,
  /** What stands at the target since. */
  target: seenSchema.nullable(),
  /** A copy in parts. */
  parts: z.object({ uploadId: z.string(), partBytes: z.number() }).nullable(),
  /** Of a change: the tags the object is to have, since some services lose them by a copy onto itself. */
  tags: z
    .array(z.object({ key: z.string(), value: z.string() }))
    .nullable()
    .default(null),
});

export type Operation = Readonly<z.infer<typeof operationSchema>>;
export type CopyState = Readonly<z.infer<typeof copyStateSchema>>;
export type Seen = Readonly<z.infer<typeof seenSchema>>;
