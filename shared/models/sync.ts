import { z } from 'zod';
import { foreignSchema } from './objects.ts';
import { appErrorSchema } from '../error-schema.ts';

/** With `up`, the folder in the bucket is made to match the local folder; with `down`, the reverse. */
export const syncDirections = ['up', 'down'] as const;

/** `hash`: compares local contents with ETags. Size and time decide where the ETag is not a usable digest. */
export const syncComparisons = ['size-time', 'hash'] as const;

const syncActions = ['copy', 'overwrite', 'delete', 'same', 'skipped'] as const;

const syncReasons = [
  // Reasons to replace the target.
  'size',
  'time',
  'hash',
  /** A folder or file of the same name is in the way, so this is possible only with the deletions. */
  'needs-deletion',
  // Reasons to skip an entry on both sides.
  'special-file',
  /** The file is in Cooper's own data folder. */
  'own-data',
  /** A link leads out of the chosen folder. */
  'link-outside',
  'symlink-loop',
  'name-unreadable',
  'unreadable',
  'key-too-long',
  /** The path contains a symbolic link, behind which Cooper changes nothing. */
  'link',
  /** The local disk treats this name as equal to that of another entry (case or Unicode form). */
  'same-name',
  /** The bucket has a file and a folder with the same name. */
  'file-and-folder',
] as const;

/** One side of a row when the plan was made. */
const syncSideSchema = z.object({ sizeBytes: z.number().nullable(), modifiedAt: z.string().nullable() });

export const syncRowSchema = z.object({
  /** Relative to the prefix. */
  key: z.string(),
  /** Relative to the chosen folder. */
  localName: z.string(),
  kind: z.enum(['file', 'folder']),
  action: z.enum(syncActions),
  reason: z.enum(syncReasons).nullable(),
  /** Null if the local folder has no such entry. */
  local: syncSideSchema.nullable(),
  remote: syncSideSchema.nullable(),
  /** True if contents should be compared, but size and time decided because the ETag is not a usable digest. */
  byTime: z.boolean(),
});

const sumSchema = z.object({ items: z.int(), sizeBytes: z.number() });

export const syncStatusSchema = z.object({
  planId: z.string(),
  direction: z.enum(syncDirections),
  comparison: z.enum(syncComparisons),
  connectionId: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  /** The name of the local folder, but never its full path. */
  folderName: z.string(),
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  phase: z.enum(['listing', 'comparing']),
  localFiles: z.int(),
  remoteKeys: z.int(),
  /** The number of listed entries outside the prefix. A sync leaves them unchanged. */
  foreign: foreignSchema,
  compared: z.int(),
  counts: z.object({
    copy: sumSchema,
    overwrite: sumSchema,
    delete: sumSchema,
    same: sumSchema,
    skipped: sumSchema,
  }),
  /** The items of `copy` that are possible only together with the deletions. */
  needDeletion: sumSchema,
  /** The number of rows whose contents could not be compared. */
  byTime: z.int(),
  /** How deleted local files are removed. */
  removal: z.enum(['trash', 'permanent']),
  error: z.nullable(appErrorSchema),
});

/**
 * `changes` are copies and replacements possible without deletions. `changes-with-deletions` are all changes including deletions.
 */
export const syncFilterSchema = z.enum(['changes', 'changes-with-deletions', 'all', ...syncActions]);

export type SyncDirection = (typeof syncDirections)[number];
export type SyncComparison = (typeof syncComparisons)[number];
export type SyncAction = (typeof syncActions)[number];
export type SyncReason = (typeof syncReasons)[number];
export type SyncSide = Readonly<z.infer<typeof syncSideSchema>>;
export type SyncRow = Readonly<z.infer<typeof syncRowSchema>>;
export type SyncStatus = Readonly<z.infer<typeof syncStatusSchema>>;
export type SyncFilter = z.infer<typeof syncFilterSchema>;
