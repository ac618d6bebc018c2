import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** The policy if the target exists. `ask` changes nothing until the user decides. */
export const conflictPolicies = ['ask', 'overwrite', 'skip', 'rename'] as const;
export const conflictActions = ['overwrite', 'skip', 'rename'] as const;

export const itemStates = [
  'todo',
  'asking',
  /** Of a move: its copy is verified; its source goes when everything is copied. */
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
  /** The same content was there already. */
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
  /** Of a move that was cancelled: the copy is removed again. */
  'undone',
  /** Of a move that was cancelled: the copy stays, because it may not be this job's own any more. */
  'copy-kept',
  /** Of a download: what came is not what the service describes; it was kept by the user's word, under a name that says so. */
  'unverified',
  /** Nothing that the service reports proves that it stored the bytes that were sent. */
  'not-verified',
  /** Of a sync: it was deleted, or moved to the trash, because the other side does not have it. */
  'removed',
  /** Of a sync: it is not what the plan saw any more, and was left alone. */
  'changed-since',
  /** Of a copy, a move or a change: the key may not read the object's ACL, so it is the usual one now (private). */
  'acl-unread',
  /**
   * Of a copy, a move or a change: the object was encrypted with a key of KMS, or of the user, and now it is not, or not
   * with that key in that way.
   */
  'encryption-changed',
  'acl-unread-encryption-changed',
  /** Of a move or a deletion: the service said that it deleted the object, and listed it unchanged once more at the end. */
  'still-listed',
  /** Of an undo: what was replaced or deleted was not kept, so it was left as it is. */
  'not-kept',
  /** Of the undo of a move: it is back, and its copy stays, because what the move replaced was not kept. */
  'replaced',
  /** Of an unfinished upload: the service did not know it any more. */
  'upload-gone',
  /** Of an unfinished upload: the service accepted the Abort, and its parts could not be listed to prove it. */
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
  /** Whether the bytes were proved by the service's own digest, or by reading them back; null where that was not asked. */
  verified: z.boolean().nullable(),
  error: z.nullable(appErrorSchema),
  /** Of an item that asks. */
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

/** Whether a note is worth a line of its own, besides the counts. */
export function isTold(note: ItemNote | null): note is ToldNote {
  return note !== null && !(untoldNotes as readonly ItemNote[]).includes(note);
}
