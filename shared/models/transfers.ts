import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** The name and MD5 of a customer key (SSE-C), but never the key itself. */
export const customerKeyNameSchema = z.object({
  name: z.string(),
  /** The key's MD5 in base64, by which services also identify the key. */
  md5: z.string(),
});

export type CustomerKeyName = Readonly<z.infer<typeof customerKeyNameSchema>>;

/**
 * Decisions about a target that already exists. `newer` replaces the target only if it is older, and skips the item if a time is
 * unknown.
 */
export const conflictActions = ['overwrite', 'newer', 'rename', 'skip'] as const;
/** `ask` changes nothing until the user decides. */
export const conflictPolicies = ['ask', ...conflictActions] as const;

export const itemStates = [
  'todo',
  'asking',
  /** Move: the copy is verified. The source is deleted once all items are copied. */
  'held',
  'done',
  'skipped',
  'failed',
] as const;

/** Additional notes about an item. */
export const itemNotes = [
  /** Saved under another name, because the name was taken. */
  'renamed',
  /** The file system does not allow the key's name, so it was escaped reversibly. */
  'escaped',
  /** The target already had the same content. */
  'same',
  /** A hidden file in the home folder that the user did not choose by name. Hidden files there configure other programs. */
  'hidden-in-home',
  'special-file',
  /** The file is in Cooper's own data folder, which holds secrets. */
  'own-data',
  /** A link leads out of the chosen folder. */
  'link-outside',
  'symlink-loop',
  'name-unreadable',
  'key-too-long',
  'unsafe-path',
  /** Cancelled move: the copy was removed. */
  'undone',
  /** The copy of a cancelled move was kept, because another client may have replaced it. */
  'copy-kept',
  /**
   * The downloaded data does not match the announced length or digest. It was saved at the user's request, under a name that
   * marks it as unverified.
   */
  'unverified',
  /** The service reports no digest that proves it stored the sent bytes. */
  'not-verified',
  /** The item was deleted or moved to the trash by a sync, because the other side does not have it. */
  'removed',
  /** The item has changed since the sync's plan was made, so it was left unchanged. */
  'changed-since',
  /** The key may not read the object's ACL, so the default ACL (private) applies after the copy, move or change. */
  'acl-unread',
  /**
   * Copy, move or change: the source was encrypted with a KMS key or a customer key, and the new object is not encrypted in the
   * same way with the same key.
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
  /** Stalled upload: the service accepted AbortMultipartUpload, but the parts could not be listed to verify it. */
  'abort-unchecked',
] as const;

/** Notes that the window does not count on a separate line, since the item counts already express them. */
export const hiddenNotes = ['same', 'removed', 'undone'] as const;

/** The source or target of a conflict. */
export const sideSchema = z.object({
  sizeBytes: z.number().nullable(),
  modifiedAt: z.string().nullable(),
  etag: z.string().nullable(),
});

export const transferItemSchema = z.object({
  /** The item's number within the job. */
  seq: z.int(),
  state: z.enum(itemStates),
  key: z.string(),
  /** The path relative to the chosen folder, or the file's name, but never a full path. For a copy, the target's key. */
  localName: z.string(),
  kind: z.enum(['file', 'folder']),
  sizeBytes: z.number().nullable(),
  note: z.enum(itemNotes).nullable(),
  /** True if the service's digest, or reading the object back, verified the bytes. Null if verification was not requested. */
  verified: z.boolean().nullable(),
  error: z.nullable(appErrorSchema),
  /** Both sides of the conflict. Set for an item that waits for the user's decision. */
  source: sideSchema.nullable(),
  target: sideSchema.nullable(),
});

export const itemCountsSchema = z.object({
  total: z.int(),
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
  asking: z.int(),
  /** The number of items among `done` that needed no work, because the target was already as wanted. Absent for 0. */
  same: z.int().optional(),
  /** The number of different errors among the failed items, as far as they were compared. Absent if there is at most one. */
  causes: z.int().optional(),
  /** The number of done or skipped items whose note gets a separate line. Absent for 0. */
  noted: z.int().optional(),
});

/** How the service encrypts uploads, in place of the bucket's default. */
const encryptionSchema = z.discriminatedUnion('kind', [
  /** Only the bucket's setting applies. */
  z.object({ kind: z.literal('none') }),
  /** Encryption with a key of the service (SSE-S3). */
  z.object({ kind: z.literal('service') }),
  /** Encryption with a key in the service's key management (SSE-KMS). Null means the account's default key. */
  z.object({ kind: z.literal('kms'), keyId: z.string().max(2048).nullable() }),
  /** Encryption with a customer key (SSE-C), named by its MD5. The key itself is stored with the secrets. */
  z.object({ kind: z.literal('customer'), keyMd5: z.string().max(24) }),
]);

export const uploadOptionsSchema = z.object({
  onConflict: z.enum(conflictPolicies),
  /** Null for the service's default. */
  storageClass: z.string().max(100).nullable(),
  cacheControl: z.string().max(1000).nullable(),
  /** Null for the type derived from the name. */
  contentType: z.string().max(255).nullable(),
  metadata: z.record(z.string().max(128), z.string().max(2048)),
  tags: z.record(z.string().min(1).max(128), z.string().max(256)).default({}),
  encryption: encryptionSchema.default({ kind: 'none' }),
  /** The size from which files are sent in parts, or null for the value in the settings. */
  multipartFromBytes: z
    .number()
    .min(1)
    .max(5 * 1024 ** 3)
    .nullable(),
  /** The part size, which grows if 10,000 parts would not be enough. Null means the value in the settings. */
  partSizeBytes: z
    .int()
    .min(1)
    .max(5 * 1024 ** 3)
    .nullable()
    .default(null),
  /** Follows links that lead outside the chosen folders. */
  takesLinksOut: z.boolean().default(false),
});

export const downloadOptionsSchema = z.object({ onConflict: z.enum(conflictPolicies) });

/** A chosen object, or several: all below a prefix, or all matches of a walk, which must be complete. */
export const downloadItemSchema = z.discriminatedUnion('kind', [
  /** `versionId`: that version instead of the current one. */
  z.object({ kind: z.literal('key'), key: z.string().min(1), versionId: z.string().min(1).optional() }),
  /** Selects every key that starts with the prefix, which for a folder ends in `/`. '' selects the whole bucket. */
  z.object({ kind: z.literal('prefix'), prefix: z.string() }),
  z.object({ kind: z.literal('walk'), walkId: z.string() }),
]);

/** The result of comparing both sides by their digests. */
export const comparisons = [
  'same',
  'different',
  /** The ETag is that of a multipart upload, and no usual part size gives this ETag for the file. */
  'likely-different',
  /** The service reports no digest of the bytes, for example with KMS or customer-key encryption. */
  'unknown',
] as const;

export const itemFilterSchema = z.enum(['all', 'asking', 'failed', 'skipped', 'noted']);

/** The user's decision on a conflict. A null `seq` applies it to all current and future conflicts of the job. */
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
export type ShownNote = Exclude<ItemNote, (typeof hiddenNotes)[number]>;
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

/** Returns true if the window shows a separate line for the note, in addition to the item counts. */
export function isShownNote(note: ItemNote | null): note is ShownNote {
  return note !== null && !(hiddenNotes as readonly ItemNote[]).includes(note);
}
