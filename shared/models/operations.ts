import { z } from 'zod';
import { conflictPolicies } from './transfers.ts';

/** What an operation is done to. A walk stands for all that it has found; it has to have ended. */
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

/** What is renamed: one object, or a folder (its prefix ends in `/`). */
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

/** Absent: stays as it is. null: is removed. */
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

/** What a change brings with it besides what was asked for; to be said before it begins. */
export const changeResets = [
  /** The object is copied onto itself: it gets a new time of last modification. */
  'last-modified',
  /** Permissions of its own (an ACL) that the key may not read are not carried. */
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
  /** false: it was there already. */
  created: z.boolean(),
});

/** null: there is nothing to do (renamed onto itself, moved to where it is). */
export const operationStartedSchema = z.object({ jobId: z.string().nullable() });

export type SelectionItem = Readonly<z.infer<typeof selectionItemSchema>>;
export type Renamed = Readonly<z.infer<typeof renamedSchema>>;
export type CopyOptions = Readonly<z.infer<typeof copyOptionsSchema>>;
export type VersionMode = (typeof versionModes)[number];
export type NamedValuesPatch = Readonly<z.infer<typeof namedValuesPatchSchema>>;
export type ChangePatch = Readonly<z.infer<typeof changePatchSchema>>;
export type ChangeReset = (typeof changeResets)[number];

/** Whether the change needs a new copy of the object; tags alone do not. */
export function rewritesObject(patch: ChangePatch): boolean {
  const { tags: _tags, ...rest } = patch;
  return Object.values(rest).some((value) => value !== undefined);
}

/** What this change resets: everything that a copy onto itself does not take along, or nothing. */
export function resetsOf(patch: ChangePatch): readonly ChangeReset[] {
  return rewritesObject(patch) ? changeResets : [];
}
