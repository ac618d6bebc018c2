import { z } from 'zod';
import { changePatchSchema, selectionSchema, versionModes } from '../../../../shared/models/operations.ts';

/** What a job of operations was asked to do. */
export const operationSchema = z.object({
  items: selectionSchema,
  /** Copies: `prefix` takes the place of the job's own prefix at the beginning of each key. */
  to: z.object({ connectionId: z.string(), bucket: z.string(), prefix: z.string() }).nullable(),
  versions: z.enum(versionModes),
  patch: changePatchSchema.nullable(),
  /** Of a deletion of everything: the bucket itself goes at the end. */
  withBucket: z.boolean().optional(),
});

const seenSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  versionId: z.string().nullable(),
  /** Told by a listing, which names no version, and times more exactly than a header does. */
  isListed: z.boolean().optional(),
});

const granteeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), id: z.string(), displayName: z.string().nullable() }),
  z.object({ kind: z.literal('group'), uri: z.string() }),
  z.object({ kind: z.literal('email'), address: z.string() }),
]);

const aclSchema = z.object({
  owner: z.object({ id: z.string().nullable(), displayName: z.string().nullable() }).nullable(),
  grants: z.array(z.object({ grantee: granteeSchema, permission: z.string() })),
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
  parts: z
    .object({ uploadId: z.string(), partBytes: z.number(), bytesDone: z.number().default(0) })
    .nullable(),
  /** Of a change: the tags the object is to have, since some services lose them by a copy onto itself. */
  tags: z
    .array(z.object({ key: z.string(), value: z.string() }))
    .nullable()
    .default(null),
  /** Of a change: the permissions that the object is to have again, where no ready-made set names them. */
  acl: aclSchema.optional(),
  /** The key, of KMS or of the user, that the source was encrypted with; absent: none. */
  encryption: z.object({ algorithm: z.string(), keyId: z.string().nullable() }).optional(),
});

export type Operation = Readonly<z.infer<typeof operationSchema>>;
export type CopyState = Readonly<z.infer<typeof copyStateSchema>>;
export type Seen = Readonly<z.infer<typeof seenSchema>>;
