import { z } from 'zod';
import { undoableKinds } from '../../../../shared/models/job-kinds.ts';
import { changePatchSchema, selectionSchema, versionModes } from '../../../../shared/models/operations.ts';

export const seenSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  versionId: z.string().nullable(),
  /** True if read from a listing, which has no version id but a more exact time than a header. */
  isListed: z.boolean().optional(),
});

/** The parameters of an operation that changes objects. */
export const operationSchema = z.object({
  items: selectionSchema,
  /** The target of a copy or move. Its `prefix` replaces the job's prefix at the start of each key. */
  to: z.object({ connectionId: z.string(), bucket: z.string(), prefix: z.string() }).nullable(),
  versions: z.enum(versionModes),
  patch: changePatchSchema.nullable(),
  /** A deletion with `restores` removes only the delete markers that hide the chosen objects. */
  restores: z.literal(true).optional(),
  /** The new key of each object, if several objects are renamed. */
  newKeys: z.record(z.string(), z.string()).optional(),
  /** True if a deletion of all objects also deletes the bucket at the end. */
  withBucket: z.boolean().optional(),
  /**
   * The job that is undone. `isRedo` is true if that job was an undo. `what` is the user's original operation, absent in records
   * of earlier versions.
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
  /** The bucket of the originals, if a copy is undone. */
  from: z.object({ connectionId: z.string(), bucket: z.string() }).optional(),
  /** The placeholder of the folder, if a new folder is undone. It is deleted only if unchanged. */
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

/** The state of copying one object. It is stored before each request that changes something. */
export const copyStateSchema = z.object({
  /** `copied` means that the copy is verified. `deleting` means that the source may already be deleted. */
  stage: z.enum(['copying', 'copied', 'deleting']),
  /** True if the target did not exist before the copy. Only then may an undo remove it. */
  targetWasFree: z.boolean(),
  /** The state of the source that was copied. */
  source: seenSchema,
  /** The state of the target after the copy; null until it is known. */
  target: seenSchema.nullable(),
  /** The upload of a copy in parts; null if it is copied as a whole. */
  parts: z
    .object({ uploadId: z.string(), partBytes: z.number(), bytesDone: z.number().default(0) })
    .nullable(),
  /** The tags to set after a change, because some services lose them when an object is copied onto itself. */
  tags: z
    .array(z.object({ key: z.string(), value: z.string() }))
    .nullable()
    .default(null),
  /** The ACL to set after a change, if it is not a canned ACL. */
  acl: aclSchema.optional(),
  /** The key of KMS or of the user with which the source is encrypted; absent if there is none. */
  encryption: z.object({ algorithm: z.string(), keyId: z.string().nullable() }).optional(),
});

const tagsSchema = z.array(z.object({ key: z.string(), value: z.string() }));

/** A change that sets an object's metadata back to its former values. */
const patchBackSchema = changePatchSchema.extend({
  /**
   * The headers as they were received; each Latin-1 character is one byte. They take precedence over the other fields. Absent in
   * records of earlier versions.
   */
  received: z.record(z.string(), z.string()).optional(),
});

/** The effects of an item, as needed to undo it. A move has them in its `copy` instead. */
export const journalSchema = z.discriminatedUnion('kind', [
  /** The effects of a copy: its source, and the target after it. */
  z.object({
    kind: z.literal('copy'),
    targetWasFree: z.boolean(),
    source: seenSchema,
    target: seenSchema,
  }),
  /** The effect of a deletion in a versioned bucket: the delete marker that hides the object. */
  z.object({ kind: z.literal('marker'), versionId: z.string() }),
  /** The effect of undoing a deletion: the object that is visible again. */
  z.object({ kind: z.literal('back'), seen: seenSchema }),
  /**
   * The effect of a change: how to set the former metadata, stored before the first request. `after` is the object after the
   * change, with its tags if they were changed.
   */
  z.object({
    kind: z.literal('change'),
    back: patchBackSchema,
    after: z.object({ seen: seenSchema, tags: tagsSchema.nullable() }).nullable(),
  }),
]);

/** The conditions under which an item undoes another one, and how. */
export const undoSchema = z.object({
  /**
   * The object that must still be at the item's key; otherwise the item is skipped. Null requires that a delete marker hides it.
   */
  expects: seenSchema.nullable(),
  /** The tags that the object must still have; null allows any. */
  expectsTags: tagsSchema.nullable(),
  /** The original of a copy to remove. It must still exist, so that no data is lost. */
  original: z.object({ key: z.string(), versionId: z.string().nullable(), seen: seenSchema }).nullable(),
  /** The patch that sets the former metadata again, if a change is undone. */
  patch: patchBackSchema.nullable(),
  /** True if moving back must keep the copy, because the object that the move replaced no longer exists. */
  keepsSource: z.boolean(),
});

export type PatchBack = Readonly<z.infer<typeof patchBackSchema>>;
export type OperationRecord = Readonly<z.infer<typeof operationSchema>>;
export type CopyState = Readonly<z.infer<typeof copyStateSchema>>;
export type Journal = Readonly<z.infer<typeof journalSchema>>;
export type ItemUndo = Readonly<z.infer<typeof undoSchema>>;
export type Seen = Readonly<z.infer<typeof seenSchema>>;
