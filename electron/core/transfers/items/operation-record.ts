import { z } from 'zod';
import {
  changePatchSchema,
  selectionSchema,
  undoableKinds,
  versionModes,
} from '../../../../shared/models/operations.ts';

export const seenSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  versionId: z.string().nullable(),
  /** Told by a listing, which names no version, and times more exactly than a header does. */
  isListed: z.boolean().optional(),
});

/** The parameters of a job of operations. */
export const operationSchema = z.object({
  items: selectionSchema,
  /** Copies: `prefix` takes the place of the job's own prefix at the beginning of each key. */
  to: z.object({ connectionId: z.string(), bucket: z.string(), prefix: z.string() }).nullable(),
  versions: z.enum(versionModes),
  patch: changePatchSchema.nullable(),
  /** Of a deletion of everything: the bucket itself goes at the end. */
  withBucket: z.boolean().optional(),
  /**
   * The job undoes another, of this kind. `isRedo`: that one has undone a third. `what` was done first, by the user; records of
   * earlier versions have none.
   */
  undoes: z
    .object({
      jobId: z.string(),
      kind: z.enum(undoableKinds),
      what: z.enum(undoableKinds).optional(),
      isRedo: z.boolean(),
      isRename: z.boolean(),
    })
    .optional(),
  /** Of the undo of a copy: where its originals are. */
  from: z.object({ connectionId: z.string(), bucket: z.string() }).optional(),
  /** The job undoes a new folder: its placeholder goes, as long as it is still this one. */
  folder: z.object({ id: z.string(), key: z.string(), seen: seenSchema }).optional(),
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
  /** The source as it was copied. */
  source: seenSchema,
  /** The target after the copy. */
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

const tagsSchema = z.array(z.object({ key: z.string(), value: z.string() }));

/** The undoable effects of an item; a move keeps them in its `copy`. */
/** A change that brings back how an object was described. */
const patchBackSchema = changePatchSchema.extend({
  /** Headers byte for byte as they were received (Latin-1 stands for bytes); they win over the fields. Absent in old records. */
  received: z.record(z.string(), z.string()).optional(),
});

export const journalSchema = z.discriminatedUnion('kind', [
  /** A copy: its source, and the target after it. */
  z.object({
    kind: z.literal('copy'),
    targetWasFree: z.boolean(),
    source: seenSchema,
    target: seenSchema,
  }),
  /** A deletion, in a bucket that keeps versions: the delete marker that hides the object. */
  z.object({ kind: z.literal('marker'), versionId: z.string() }),
  /** The undo of a deletion: the object that came back. */
  z.object({ kind: z.literal('back'), seen: seenSchema }),
  /**
   * A change: how to restore the former metadata. On disk before the first request; `after` is the object at the
   * end, with its tags where they were changed.
   */
  z.object({
    kind: z.literal('change'),
    back: patchBackSchema,
    after: z.object({ seen: seenSchema, tags: tagsSchema.nullable() }).nullable(),
  }),
]);

/** The facts that an undo needs of each item. */
export const undoSchema = z.object({
  /** The object that must still be at the item's key, else the undo skips it. null: none (a delete marker hides it). */
  expects: seenSchema.nullable(),
  /** The tags it has to have still; null: whichever. */
  expectsTags: tagsSchema.nullable(),
  /** Of a copy that is removed: what it was made of. It has to be there still, so that nothing can be lost. */
  original: z.object({ key: z.string(), versionId: z.string().nullable(), seen: seenSchema }).nullable(),
  /** Of a change: what brings the former description back. */
  patch: patchBackSchema.nullable(),
  /** Of a move back: what the move replaced is gone, so its copy stays in that place. */
  keepsSource: z.boolean(),
});

export type PatchBack = Readonly<z.infer<typeof patchBackSchema>>;
export type OperationRecord = Readonly<z.infer<typeof operationSchema>>;
export type CopyState = Readonly<z.infer<typeof copyStateSchema>>;
export type Journal = Readonly<z.infer<typeof journalSchema>>;
export type ItemUndo = Readonly<z.infer<typeof undoSchema>>;
export type Seen = Readonly<z.infer<typeof seenSchema>>;
