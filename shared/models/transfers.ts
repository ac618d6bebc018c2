import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** The policy if the target exists. `ask` changes nothing until the user decides. */
export const conflictPolicies = ['ask', 'overwrite', 'skip', 'rename'] as const;
export const conflictActions = ['overwrite', 'skip', 'rename'] as const;

export const itemStates = [
  'todo',
  'asking',
  /** Move: the copy is verified; the source is removed once everything is copied. */
  'held',
  'done',
  'skipped',
  'failed',
] as const;

/** A note about an item besides its state. */
export const itemNotes = [
  /** It has another name than it should have, because the name was taken. */
  'renamed',
  /** The system cannot hold the key's name: it was escaped, reversibly. */
  'escaped',
  /** The target already had the same content. */
  'same',
  /** A hidden file of the home folder, which the person did not choose by its name: other programs obey such files. */
  'hidden-in-home',
  'special-file',
  /** It is in Cooper's own data folder, which holds secrets. */
  'own-data',
  /** A link leads out of the chosen folder. */
  'link-outside',
  'symlink-loop',
  'name-unreadable',
  'key-too-long',
  'unsafe-path',
  /** Cancelled move: the copy was removed. */
  'undone',
  /** Cancelled move: the copy was kept, because another client may have replaced it. */
  'copy-kept',
  /**
   * Download: the data does not match the service's description. Kept at the user's request, under a name that marks it as
   * unverified.
   */
  'unverified',
  /** Nothing that the service reports proves that it stored the bytes that were sent. */
  'not-verified',
  /** Sync: deleted or moved to the trash, because the other side does not have it. */
  'removed',
  /** Sync: changed since the plan was made, so it was left alone. */
  'changed-since',
  /** Copy, move or change: the key may not read the object's ACL, so the default one (private) applies now. */
  'acl-unread',
  /**
   * Copy, move or change: the object was encrypted with a KMS key or a customer's key, and is no longer encrypted with that key
   * in that way.
   */
  'encryption-changed',
  'acl-unread-encryption-changed',
  /** Move or deletion: the service confirmed the deletion, but the final listing still shows the object unchanged. */
  'still-listed',
  /** Undo: the replaced or deleted contents were not kept, so the item was left alone. */
  'not-kept',
  /** Undo of a move: the source is restored. The copy stays, because the contents the move replaced were not kept. */
  'replaced',
  /** Stalled upload: the service no longer knew it. */
  'upload-gone',
  /** Stalled upload: the service accepted the Abort, but its parts could not be listed to verify it. */
  'abort-unchecked',
] as const;

/** Notes that counts and errors tell already; the others are worth a line each. */
export const untoldNotes = ['same', 'removed', 'undone'] as const;

/** One of the two sides of a conflict. */
export const sideSchema = z.object({
  sizeBytes: z.number().nullable(),
  modifiedAt: z.string().nullable(),
  /** As the service names it; null for a local file. */
  etag: z.string().nullable(),
});

export const transferItemSchema = z.object({
  /** Its number within the job. */
  seq: z.int(),
  state: z.enum(itemStates),
  key: z.string(),
  /** Within the chosen folder, or the file's name; never a whole path. Of a copy: the target's key. */
  localName: z.string(),
  kind: z.enum(['file', 'folder']),
  sizeBytes: z.number().nullable(),
  note: z.enum(itemNotes).nullable(),
  /** True if the service's digest or reading the object back verified the bytes; null if verification was not requested. */
  verified: z.boolean().nullable(),
  error: z.nullable(appErrorSchema),
  /** Set for an item that waits for the user's decision. */
  source: sideSchema.nullable(),
  target: sideSchema.nullable(),
});

export const itemCountsSchema = z.object({
  total: z.int(),
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
  asking: z.int(),
  /** Those done or skipped that have a note worth a line. Absent: none. */
  noted: z.int().optional(),
});

/** How the service encrypts what is uploaded, besides what the bucket is set to. */
export const encryptionSchema = z.discriminatedUnion('kind', [
  /** The bucket's setting. */
  z.object({ kind: z.literal('none') }),
  /** With a key of the service (SSE-S3). */
  z.object({ kind: z.literal('service') }),
  /** With a key of its key management (SSE-KMS); null: the account's usual one. */
  z.object({ kind: z.literal('kms'), keyId: z.string().max(2048).nullable() }),
  /** With a key of the user's own (SSE-C), by its MD5: the key itself is kept among the secrets. */
  z.object({ kind: z.literal('customer'), keyMd5: z.string().max(24) }),
]);

export const uploadOptionsSchema = z.object({
  onConflict: z.enum(conflictPolicies),
  /** null: what the service takes for granted. */
  storageClass: z.string().max(100).nullable(),
  cacheControl: z.string().max(1000).nullable(),
  /** null: from the name. */
  contentType: z.string().max(255).nullable(),
  metadata: z.record(z.string().max(128), z.string().max(2048)),
  tags: z.record(z.string().min(1).max(128), z.string().max(256)).default({}),
  encryption: encryptionSchema.default({ kind: 'none' }),
  /** From this size on a file is sent in parts; null: as the settings say. */
  multipartFromBytes: z
    .number()
    .min(1)
    .max(5 * 1024 ** 3)
    .nullable(),
  /** How large the parts are, unless 10,000 of them are too few; null: as the settings say. */
  partSizeBytes: z
    .int()
    .min(1)
    .max(5 * 1024 ** 3)
    .nullable()
    .default(null),
  /** Takes what links point to outside the chosen folders. */
  takesLinksOut: z.boolean().default(false),
});

export const downloadOptionsSchema = z.object({ onConflict: z.enum(conflictPolicies) });

export const downloadItemSchema = z.discriminatedUnion('kind', [
  /** `versionId`: that version of it, in place of the current one. */
  z.object({ kind: z.literal('key'), key: z.string().min(1), versionId: z.string().min(1).optional() }),
  z.object({ kind: z.literal('prefix'), prefix: z.string() }),
  /** All that a search has found; it has to have ended. */
  z.object({ kind: z.literal('walk'), walkId: z.string() }),
]);

/** The result of comparing both sides by their digests. */
export const comparisons = [
  'same',
  'different',
  /** The ETag is of parts, and no usual size of parts makes it of this file. */
  'likely-different',
  /** The service names no digest of the bytes, as with encryption by KMS or a customer key. */
  'unknown',
] as const;

export const itemFilterSchema = z.enum(['all', 'asking', 'failed', 'skipped', 'noted']);

/** `seq` null: all that ask now, and those that will. */
export const decisionSchema = z.object({ seq: z.int().nullable(), action: z.enum(conflictActions) });

export const defaultUploadOptions: UploadOptions = {
  onConflict: 'ask',
  storageClass: null,
  cacheControl: null,
  contentType: null,
  metadata: {},
  tags: {},
  encryption: { kind: 'none' },
  multipartFromBytes: null,
  partSizeBytes: null,
  takesLinksOut: false,
};

export type ConflictPolicy = (typeof conflictPolicies)[number];
export type ConflictAction = (typeof conflictActions)[number];
/** The stored parts of an unfinished upload. */
export const storedPartsSchema = z.object({ uploads: z.int(), sizeBytes: z.number() });

export type StoredParts = Readonly<z.infer<typeof storedPartsSchema>>;
export type ItemState = (typeof itemStates)[number];
export type ItemNote = (typeof itemNotes)[number];
export type ToldNote = Exclude<ItemNote, (typeof untoldNotes)[number]>;
export type Side = Readonly<z.infer<typeof sideSchema>>;
export type TransferItem = Readonly<z.infer<typeof transferItemSchema>>;
export type ItemCounts = Readonly<z.infer<typeof itemCountsSchema>>;
export type Encryption = Readonly<z.infer<typeof encryptionSchema>>;
export type UploadOptions = Readonly<z.infer<typeof uploadOptionsSchema>>;
export type DownloadOptions = Readonly<z.infer<typeof downloadOptionsSchema>>;
export type DownloadItem = Readonly<z.infer<typeof downloadItemSchema>>;
export type Comparison = (typeof comparisons)[number];
export type ItemFilter = z.infer<typeof itemFilterSchema>;
export type Decision = Readonly<z.infer<typeof decisionSchema>>;

/** Returns true if a note deserves its own line, in addition to the counts. */
export function isTold(note: ItemNote | null): note is ToldNote {
  return note !== null && !(untoldNotes as readonly ItemNote[]).includes(note);
}
