import { z } from 'zod';
import { placeSchema } from './objects.ts';
import { maxSelectedItems } from './limits.ts';
import { conflictPolicies, downloadItemSchema } from './transfers.ts';

/** The objects for an operation. A version counts only for a copy or a deletion. */
export const selectionSchema = z.array(downloadItemSchema).min(1).max(maxSelectedItems);

/** The object to rename, or the folder (its prefix ends in `/`). */
export const renamedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), key: z.string().min(1) }),
  z.object({ kind: z.literal('prefix'), prefix: z.string().min(1) }),
]);

export const copyOptionsSchema = z.object({
  onConflict: z.enum(conflictPolicies),
  /** True to delete each source once its copy is verified. */
  isMove: z.boolean(),
});

/**
 * `markers`: an ordinary deletion, which leaves a delete marker in a versioned bucket.
 * `all-versions`: deletes every version and delete marker of the chosen keys, permanently.
 */
export const versionModes = ['markers', 'all-versions'] as const;

/**
 * Changes of named values, whose names are in lower case. `set` adds or replaces values; `replaceAll` also removes all names that
 * are not in `set`.
 */
const namedValuesPatchSchema = z.object({
  replaceAll: z.boolean(),
  set: z.record(z.string().min(1).max(128), z.string().max(2048)),
  remove: z.array(z.string()).max(100),
});

/** The changes. An absent field stays unchanged, and null removes the field's value. */
export const changePatchSchema = z.object({
  contentType: z.string().min(1).max(255).optional(),
  cacheControl: z.string().max(1000).nullable().optional(),
  contentDisposition: z.string().max(1000).nullable().optional(),
  contentEncoding: z.string().max(255).nullable().optional(),
  contentLanguage: z.string().max(255).nullable().optional(),
  /** ISO 8601; sent as an HTTP date. */
  expires: z.string().nullable().optional(),
  storageClass: z.string().min(1).max(100).optional(),
  metadata: namedValuesPatchSchema.optional(),
  tags: namedValuesPatchSchema.optional(),
});

/** The side effects of a change, which the window shows before the change starts. */
const changeResets = [
  /** The object is copied onto itself, so its last-modified time changes. */
  'last-modified',
  /** The object's own ACL is not carried over if the key may not read it. */
  'acl',
  /** In a versioned bucket, creates a new version. The previous version remains and costs storage. */
  'new-version',
  /** An object uploaded in parts gets another ETag. */
  'etag',
  /** A lock or retention of the object applies to the old version only. */
  'retention',
] as const;

export const createdFolderSchema = z.object({
  key: z.string(),
  /** False if the folder already existed. */
  created: z.boolean(),
});

/** The started job, or null if there was nothing to do (renamed to the same name, or moved to the same folder). */
export const operationStartedSchema = z.object({ jobId: z.string().nullable() });

/** An operation that can be undone or redone. */
const undoEntrySchema = z.object({
  /** The id of the job. For a new folder, which needs no job, a separate id. */
  id: z.string(),
  kind: z.enum(['rename', 'copy', 'move', 'delete', 'restore', 'change', 'new-folder']),
  /** The name of the first object. `others` is the number of further objects. */
  name: z.string(),
  others: z.int(),
  /** The time of the operation. */
  at: z.string(),
  /** False if the previous contents were not kept, so nothing can be restored. */
  isPossible: z.boolean(),
  /**
   * The effect of the undo on objects that the operation replaced, judging by its first items. `restored`: they were kept as
   * versions and become current again. `lost`: they were not kept, so their replacements stay.
   */
  replaced: z.enum(['none', 'restored', 'some-restored', 'lost']),
});

/** The operations that Ctrl+Z would undo and Ctrl+Shift+Z would redo. Each may be null. */
export const undoStateSchema = z.object({
  undo: undoEntrySchema.nullable(),
  redo: undoEntrySchema.nullable(),
  /** True while the latest operation is running. Nothing older can be undone meanwhile. */
  isBusy: z.boolean(),
});

/** The result of undo or redo: the started job, or null for a folder, which is created without a job. */
export const undoneSchema = z.object({
  jobId: z.string().nullable(),
  folder: placeSchema.extend({ key: z.string(), created: z.boolean() }).nullable(),
});

export type UndoEntry = Readonly<z.infer<typeof undoEntrySchema>>;
export type Undone = Readonly<z.infer<typeof undoneSchema>>;
export type UndoState = Readonly<z.infer<typeof undoStateSchema>>;
export type SelectionItem = Readonly<z.infer<typeof downloadItemSchema>>;
export type Renamed = Readonly<z.infer<typeof renamedSchema>>;
export type CopyOptions = Readonly<z.infer<typeof copyOptionsSchema>>;
export type VersionMode = (typeof versionModes)[number];
export type NamedValuesPatch = Readonly<z.infer<typeof namedValuesPatchSchema>>;
export type ChangePatch = Readonly<z.infer<typeof changePatchSchema>>;
export type ChangeReset = (typeof changeResets)[number];

/** Returns true if the change needs a new copy of the object. A change of tags alone does not. */
export function rewritesObject(patch: ChangePatch): boolean {
  const { tags: _tags, ...rest } = patch;
  return Object.values(rest).some((value) => value !== undefined);
}

/** Returns the side effects of a change. Changes that copy the object onto itself have all of them, other changes have none. */
export function resetsOf(patch: ChangePatch): readonly ChangeReset[] {
  return rewritesObject(patch) ? changeResets : [];
}
