import { z } from 'zod';
import { placeSchema } from './objects.ts';
import { conflictPolicies } from './transfers.ts';

/** Kinds of jobs that can be undone, each by a job of the queue. */
export const undoableKinds = ['copy', 'move', 'delete', 'change'] as const;

/** The objects of an operation. A walk means everything it has found; it must have ended. */
export const selectionItemSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('key'),
    key: z.string().min(1),
    /** One version of it (copy, delete); absent: the current one. */
    versionId: z.string().min(1).optional(),
  }),
  /** Every key that begins so: a folder ends in its `/`. '' is the whole bucket. */
  z.object({ kind: z.literal('prefix'), prefix: z.string() }),
  z.object({ kind: z.literal('walk'), walkId: z.string() }),
]);

export const selectionSchema = z.array(selectionItemSchema).min(1).max(10_000);

/** The object to rename, or the folder (its prefix ends in `/`). */
export const renamedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), key: z.string().min(1) }),
  z.object({ kind: z.literal('prefix'), prefix: z.string().min(1) }),
]);

export const copyOptionsSchema = z.object({
  onConflict: z.enum(conflictPolicies),
  /** The source is deleted once its copy is verified. */
  isMove: z.boolean(),
});

/**
 * `markers`: what an ordinary deletion does (in a bucket with versions it leaves a delete marker).
 * `all-versions`: every version and every delete marker of the chosen keys; nothing can be brought back.
 */
export const versionModes = ['markers', 'all-versions'] as const;

/** Names (lower case) and values. `set` adds and replaces, `remove` takes away; with `replaceAll` what is not in `set` goes too. */
export const namedValuesPatchSchema = z.object({
  replaceAll: z.boolean(),
  set: z.record(z.string().min(1).max(128), z.string().max(2048)),
  remove: z.array(z.string()).max(100),
});

/** An absent field stays unchanged; null removes it. */
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

/** Side effects of a change; the window tells them before it begins. */
export const changeResets = [
  /** The object is copied onto itself: it gets a new time of last modification. */
  'last-modified',
  /** The object's own ACL is not carried over if the key may not read it. */
  'acl',
  /** In a bucket with versions a new version comes; the one before stays, and costs storage. */
  'new-version',
  /** An object that was sent in parts gets another ETag. */
  'etag',
  /** A lock or a retention of the object belongs to the old version alone. */
  'retention',
] as const;

export const createdFolderSchema = z.object({
  key: z.string(),
  /** false: it already existed. */
  created: z.boolean(),
});

/** null: there is nothing to do (renamed onto itself, moved to where it is). */
export const operationStartedSchema = z.object({ jobId: z.string().nullable() });

/** Something that can be undone, or done again. */
export const undoEntrySchema = z.object({
  /** A job; of a new folder its own id. */
  id: z.string(),
  what: z.enum(['rename', 'copy', 'move', 'delete', 'change', 'new-folder']),
  /** Its first object, and the number of others. */
  name: z.string(),
  others: z.int(),
  /** When it was done. */
  at: z.string(),
  /** false: the previous contents were not kept, so nothing can be restored. */
  isPossible: z.boolean(),
});

/** The operations that Ctrl+Z would undo and Ctrl+Shift+Z would redo; null: none. */
export const undoStateSchema = z.object({
  undo: undoEntrySchema.nullable(),
  redo: undoEntrySchema.nullable(),
  /** The latest operation is still running; nothing older can be undone meanwhile. */
  isBusy: z.boolean(),
});

/** How it is undone, or done again: by a job; a folder is made once more at once. */
export const undoneSchema = z.object({
  jobId: z.string().nullable(),
  folder: placeSchema.extend({ key: z.string(), created: z.boolean() }).nullable(),
});

export type UndoEntry = Readonly<z.infer<typeof undoEntrySchema>>;
export type Undone = Readonly<z.infer<typeof undoneSchema>>;
export type UndoState = Readonly<z.infer<typeof undoStateSchema>>;
export type SelectionItem = Readonly<z.infer<typeof selectionItemSchema>>;
export type Renamed = Readonly<z.infer<typeof renamedSchema>>;
export type CopyOptions = Readonly<z.infer<typeof copyOptionsSchema>>;
export type VersionMode = (typeof versionModes)[number];
export type NamedValuesPatch = Readonly<z.infer<typeof namedValuesPatchSchema>>;
export type ChangePatch = Readonly<z.infer<typeof changePatchSchema>>;
export type ChangeReset = (typeof changeResets)[number];

/** Returns true if the change needs a new copy of the object; changing tags alone does not. */
export function rewritesObject(patch: ChangePatch): boolean {
  const { tags: _tags, ...rest } = patch;
  return Object.values(rest).some((value) => value !== undefined);
}

/** The attributes that this change resets: those that a copy onto itself loses, or none. */
export function resetsOf(patch: ChangePatch): readonly ChangeReset[] {
  return rewritesObject(patch) ? changeResets : [];
}
