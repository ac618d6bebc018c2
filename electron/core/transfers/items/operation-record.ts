import { z } from 'zod';
import { undoableKinds } from '../../../../shared/models/job-kinds.ts';
import { changePatchSchema, selectionSchema, versionModes } from '../../../../shared/models/operations.ts';

export const seenSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  versionId: z.string().nullable(),
  /** From a listing: has no version id, but a more exact time than the header. */
  isListed: z.boolean().optional(),
});

/** The parameters of a job of operations. */
export const operationSchema = z.object({
  items: selectionSchema,
  /** For copies: `prefix` replaces the job's prefix at the start of each key. */
  to: z.object({ connectionId: z.string(), bucket: z.string(), prefix: z.string() }).nullable(),
  versions: z.enum(versionModes),
  patch: changePatchSchema.nullable(),
  /** For a deletion: removes the delete markers that hide the chosen objects, and nothing else. */
  restores: z.literal(true).optional(),
  /** For a rename of several objects: the new key of each. */
  newKeys: z.record(z.string(), z.string()).optional(),
  /** For a deletion of everything: deletes the bucket itself at the end. */
  withBucket: z.boolean().optional(),
  /**
   * The job that this one undoes. `isRedo`: that job was itself an undo. `what`: the user's original operation; absent in
   * records of earlier versions.
   */
  undoes: z
    .object({
      jobId: z.string(),
      kind: z.enum(undoableKinds),
      what: z.enum([...undoableKinds, 'restore']).optional(),
      isRedo: z.boolean(),
      isRename: z.boolean(),
    })
    .optional(),
  /** For the undo of a copy: the bucket of its originals. */
  from: z.object({ connectionId: z.string(), bucket: z.string() }).optional(),
  /** For the undo of a new folder: its placeholder, deleted only if unchanged. */
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

/** Progress of the copy of one object. Persisted before each request that changes anything. */
export const copyStateSchema = z.object({
  /** `copied`: verified. `deleting`: the source is about to be deleted, or is gone. */
  stage: z.enum(['copying', 'copied', 'deleting']),
  /** True if the target did not exist when the copy began. Only then may an undo remove it. */
  targetWasFree: z.boolean(),
  /** The source as it was copied. */
  source: seenSchema,
  /** The target after the copy. */
  target: seenSchema.nullable(),
  /** A copy in parts. */
  parts: z
    .object({ uploadId: z.string(), partBytes: z.number(), bytesDone: z.number().default(0) })
    .nullable(),
  /** For a change: the tags to restore, since some services lose them when an object is copied onto itself. */
  tags: z
    .array(z.object({ key: z.string(), value: z.string() }))
    .nullable()
    .default(null),
  /** For a change: the ACL to restore where no canned ACL describes it. */
  acl: aclSchema.optional(),
  /** The key, of KMS or of the user, that the source was encrypted with; absent: none. */
  encryption: z.object({ algorithm: z.string(), keyId: z.string().nullable() }).optional(),
});

const tagsSchema = z.array(z.object({ key: z.string(), value: z.string() }));

/** A change that restores an object's former metadata. */
const patchBackSchema = changePatchSchema.extend({
  /**
   * Headers as received (each Latin-1 character is one byte). They take precedence over the fields. Absent in old
   * records.
   */
  received: z.record(z.string(), z.string()).optional(),
});

/** The effects of an item that an undo reverses. A move keeps them in its `copy` instead. */
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

/** The facts that an undo needs about each item. */
export const undoSchema = z.object({
  /** The object that must still be at the item's key, else the undo skips it. null: none (a delete marker hides it). */
  expects: seenSchema.nullable(),
  /** The tags that it must still have; null: any. */
  expectsTags: tagsSchema.nullable(),
  /** For the removal of a copy: its original, which must still exist so that no data is lost. */
  original: z.object({ key: z.string(), versionId: z.string().nullable(), seen: seenSchema }).nullable(),
  /** For a change: the patch that restores the former metadata. */
  patch: patchBackSchema.nullable(),
  /** For a move back: keeps the copy, because the object that the move replaced is gone. */
  keepsSource: z.boolean(),
});

export type PatchBack = Readonly<z.infer<typeof patchBackSchema>>;
export type OperationRecord = Readonly<z.infer<typeof operationSchema>>;
export type CopyState = Readonly<z.infer<typeof copyStateSchema>>;
export type Journal = Readonly<z.infer<typeof journalSchema>>;
export type ItemUndo = Readonly<z.infer<typeof undoSchema>>;
export type Seen = Readonly<z.infer<typeof seenSchema>>;
