import { z } from 'zod';
import { foreignSchema } from './objects.ts';
import { appErrorSchema } from '../error-schema.ts';

/** up: the folder of the bucket becomes like the one on this computer; down: the other way round. */
export const syncDirections = ['up', 'down'] as const;

/** `hash`: contents are read and held against their ETags; where an ETag does not tell, size and time decide. */
export const syncComparisons = ['size-time', 'hash'] as const;

export const syncActions = ['copy', 'overwrite', 'delete', 'same', 'skipped'] as const;

export const syncReasons = [
  /** Why the target is replaced. */
  'size',
  'time',
  'hash',
  /** Something of another kind has the name: it goes only together with a deletion. */
  'needs-deletion',
  /** Why something is left alone on both sides. */
  'special-file',
  /** It is in Cooper's own data folder. */
  'own-data',
  /** A link leads out of the chosen folder. */
  'link-outside',
  'symlink-loop',
  'name-unreadable',
  'unreadable',
  'key-too-long',
  /** A link on the way: Cooper changes nothing behind it. */
  'link',
  /** The local disk treats this name as equal to another one present (case or Unicode form). */
  'same-name',
  /** The bucket has a file and a folder of one name. */
  'file-and-folder',
] as const;

/** One side of a row, as the plan saw it. */
export const syncSideSchema = z.object({
  sizeBytes: z.number().nullable(),
  modifiedAt: z.string().nullable(),
});

export const syncRowSchema = z.object({
  /** Behind the prefix. */
  key: z.string(),
  /** Within the chosen folder. */
  localName: z.string(),
  kind: z.enum(['file', 'folder']),
  action: z.enum(syncActions),
  reason: z.enum(syncReasons).nullable(),
  /** null: it is not there. */
  local: syncSideSchema.nullable(),
  remote: syncSideSchema.nullable(),
  /** Contents were asked for, but the ETag does not tell: size and time decided. */
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
  /** The local folder's name; never its full path. */
  folderName: z.string(),
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  phase: z.enum(['listing', 'comparing']),
  localFiles: z.int(),
  remoteKeys: z.int(),
  /** Listed although outside the prefix: not touched. */
  foreign: foreignSchema,
  compared: z.int(),
  counts: z.object({
    copy: sumSchema,
    overwrite: sumSchema,
    delete: sumSchema,
    same: sumSchema,
    skipped: sumSchema,
  }),
  /** Items of `copy` that are only possible together with the deletions. */
  needDeletion: sumSchema,
  /** Rows whose contents could not be compared. */
  byTime: z.int(),
  /** How deleted local files are removed. */
  removal: z.enum(['trash', 'permanent']),
  error: z.nullable(appErrorSchema),
});

/** `changes`: what would be copied or replaced without the deletions; `changes-with-deletions`: all that would change with them. */
export const syncFilterSchema = z.enum(['changes', 'changes-with-deletions', 'all', ...syncActions]);

export type SyncDirection = (typeof syncDirections)[number];
export type SyncComparison = (typeof syncComparisons)[number];
export type SyncAction = (typeof syncActions)[number];
export type SyncReason = (typeof syncReasons)[number];
export type SyncSide = Readonly<z.infer<typeof syncSideSchema>>;
export type SyncRow = Readonly<z.infer<typeof syncRowSchema>>;
export type SyncStatus = Readonly<z.infer<typeof syncStatusSchema>>;
export type SyncFilter = z.infer<typeof syncFilterSchema>;
