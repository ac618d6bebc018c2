import { z } from 'zod';
import { undoableKinds } from '../../../../shared/models/job-kinds.ts';
import { changePatchSchema, selectionSchema, versionModes } from '../../../../shared/models/operations.ts';

export const observedObjectSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  versionId: z.string().nullable(),
  /** True if read from a listing. A listing has no version id, but more exact times than a header. */
  isListed: z.boolean().optional(),
});

/** The parameters of an operation that changes objects. */
export const operationSchema = z.object({
  items: selectionSchema,
  /** The target of a copy or move. `prefix` replaces the job's prefix at the start of each key. */
  to: z.object({ connectionId: z.string(), bucket: z.string(), prefix: z.string() }).nullable(),
  versions: z.enum(versionModes),
  patch: changePatchSchema.nullable(),
  /** True for a deletion that removes only the delete markers that hide the chosen objects. */
  restores: z.literal(true).optional(),
  /** The new name of each object by its key, if several objects are renamed. */
  newKeys: z.record(z.string(), z.string()).optional(),
  /** True if a deletion of all objects also deletes the bucket at the end. */
  withBucket: z.boolean().optional(),
  /**
   * The job that this one undoes. `isRedo` is true if that job was itself an undo. `what` is the user's original operation;
   * absent in records of earlier versions.
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
  /** The bucket of the originals, if this job undoes a copy. */
  from: z.object({ connectionId: z.string(), bucket: z.string() }).optional(),
  /** The placeholder of the folder, if this job undoes the creation of a folder. It is deleted only if unchanged. */
  folder: z.object({ id: z.string(), key: z.string(), seen: observedObjectSchema }).optional(),
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
  /** True if there was no object at the target before the copy. Only then may an undo remove the copy. */
  targetWasFree: z.boolean(),
  /** The source as it was when it was copied. */
  source: observedObjectSchema,
  /** The target after the copy; null until it is known. */
  target: observedObjectSchema.nullable(),
  /** The upload of a copy in parts; null if it is copied as a whole. */
  parts: z
    .object({ uploadId: z.string(), partBytes: z.number(), bytesDone: z.number().default(0) })
    .nullable(),
  /** The tags to set after the copy, because some services lose them when an object is copied onto itself. */
  tags: z
    .array(z.object({ key: z.string(), value: z.string() }))
    .nullable()
    .default(null),
  /** The ACL to set after the copy, if it is not a canned ACL. */
  acl: aclSchema.optional(),
  /** The KMS key or the user's own key that encrypts the source; absent if there is none. */
  encryption: z.object({ algorithm: z.string(), keyId: z.string().nullable() }).optional(),
});

const tagsSchema = z.array(z.object({ key: z.string(), value: z.string() }));

/** A change that sets an object's metadata back to its former values. */
const patchBackSchema = changePatchSchema.extend({
  /**
   * The headers as received; each Latin-1 character is one byte. They take precedence over the other fields. Absent in records of
   * earlier versions.
   */
  received: z.record(z.string(), z.string()).optional(),
});

/** The effects of an item that an undo must reverse. A move stores this in its `copy` instead. */
export const journalSchema = z.discriminatedUnion('kind', [
  /** A copy: its source, and the target after it. */
  z.object({
    kind: z.literal('copy'),
    targetWasFree: z.boolean(),
    source: observedObjectSchema,
    target: observedObjectSchema,
  }),
  /** A deletion in a versioned bucket: the delete marker that hides the object. */
  z.object({ kind: z.literal('marker'), versionId: z.string() }),
  /** An undone deletion: the object that is visible again. */
  z.object({ kind: z.literal('back'), seen: observedObjectSchema }),
  /**
   * A change: how to restore the former metadata, stored before the first request. `after` is the object after the change, with
   * its tags if they were changed.
   */
  z.object({
    kind: z.literal('change'),
    back: patchBackSchema,
    after: z.object({ seen: observedObjectSchema, tags: tagsSchema.nullable() }).nullable(),
  }),
]);

/** How an item undoes an item of another job, and under which conditions. */
export const undoSchema = z.object({
  /**
   * The object that must still be at the item's key; otherwise the item is skipped. Null means that a delete marker must hide the
   * object.
   */
  expects: observedObjectSchema.nullable(),
  /** The tags that the object must still have; null allows any. */
  expectsTags: tagsSchema.nullable(),
  /** The original of the copy that this undo removes. It must still exist, so that no data is lost. */
  original: z
    .object({ key: z.string(), versionId: z.string().nullable(), seen: observedObjectSchema })
    .nullable(),
  /** The patch that restores the former metadata, if a change is undone. */
  patch: patchBackSchema.nullable(),
  /** True if undoing a move must keep the moved object, because the object that the move replaced no longer exists. */
  keepsSource: z.boolean(),
});

export type PatchBack = Readonly<z.infer<typeof patchBackSchema>>;
export type OperationRecord = Readonly<z.infer<typeof operationSchema>>;
export type CopyState = Readonly<z.infer<typeof copyStateSchema>>;
export type ItemUndo = Readonly<z.infer<typeof undoSchema>>;
export type ObservedObject = Readonly<z.infer<typeof observedObjectSchema>>;
