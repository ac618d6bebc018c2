import { z } from 'zod';
import { appErrorSchema } from '../../../../shared/error-schema.ts';
import { failure } from '../../../../shared/errors.ts';
import { conflictActions, itemNotes, itemStates, sideSchema } from '../../../../shared/models/transfers.ts';
import { completionRequestSchema } from '../../../../shared/models/stalled.ts';
import { copyStateSchema, journalSchema, undoSchema } from './operation-record.ts';
import { uploadJobSchema } from '../../multipart/upload-job.ts';

/** For a sync: the planned action, and the target as seen by the plan. */
const plannedSchema = z.object({
  action: z.enum(['copy', 'overwrite', 'remove']),
  /** Null if the target did not exist. */
  target: sideSchema.nullable(),
  /** Deletions on this computer: emptied folders below this one are removed too. */
  keep: z.string().nullable(),
  /** True if the same plan deletes an entry that blocks its name. */
  isBlocked: z.boolean(),
});

/** Fields of every item. */
const baseItem = {
  seq: z.int(),
  state: z.enum(itemStates),
  note: z.enum(itemNotes).nullable(),
  /** The object's key. Copies: the source's. */
  key: z.string(),
  kind: z.enum(['file', 'folder']),
  sizeBytes: z.number().nullable(),
  etag: z.string().nullable(),
  modifiedAt: z.string().nullable(),
  /** Earliest start of the next try, in ms since 1970. */
  dueMs: z.number(),
  tries: z.int(),
  error: z.nullable(appErrorSchema),
  source: sideSchema.nullable(),
  target: sideSchema.nullable(),
  decision: z.enum(conflictActions).nullable(),
  verified: z.boolean().nullable(),
  /** How often the object changed while it was read. */
  restarts: z.int(),
  /** Number of tries in a row whose bytes differed from the service's description. */
  damages: z.int().default(0),
  sync: plannedSchema.nullable().default(null),
};

/** Fields of items that may use a multipart upload. */
const multipart = {
  /** Written as x-amz-meta-cooper-upload, so that an object can be matched to the upload that made it. */
  token: z.string().nullable(),
  /** Persisted before CreateMultipartUpload. `known`: the uploads of this key at that time; null if they cannot be listed. */
  begun: z.object({ known: z.array(z.string()).nullable() }).nullable(),
  /** The multipart upload, as the job that finishes a stalled one. */
  upload: uploadJobSchema.nullable(),
};

const uploadItemSchema = z.object({
  ...baseItem,
  work: z.literal('upload'),
  /** The full path of the file or folder on this computer. */
  path: z.string(),
  /** Index of the job's root that contains the file; absent: none. */
  root: z.int().optional(),
  /** True if the file is behind a link out of the root, which the user chose to follow. */
  leaves: z.boolean().optional(),
  ...multipart,
  /** A damaged object that an earlier try left at the key. The next try may replace it. */
  damaged: z.object({ etag: z.string(), sizeBytes: z.number().nullable() }).nullable().default(null),
  /** Persisted before Cooper aborts an upload that the user no longer wants. */
  givenUp: z.object({ key: z.string(), uploadId: z.string() }).nullable().default(null),
});

const fetchedItemSchema = z.object({
  ...baseItem,
  work: z.literal('download'),
  /** The path below the chosen folder, with `/`. */
  localName: z.string(),
  /** The chosen version; null: the current one. */
  versionId: z.string().nullable().default(null),
  /** The progress of a download in pieces. `present`: the pieces on disk, as bits in Base64. */
  pieces: z
    .object({
      etag: z.string(),
      sizeBytes: z.number(),
      /** Records of earlier versions have none. */
      lastModified: z.string().nullable().default(null),
      pieceBytes: z.number(),
      present: z.string(),
      /** For incomplete pieces, by index: bytes on disk from the start of the piece. */
      reached: z.record(z.string(), z.number()).default({}),
    })
    .nullable(),
  /** Persisted before a finished file is renamed, to recognize the file after a crash. */
  placing: z.object({ inode: z.string(), sizeBytes: z.number() }).nullable(),
  /** The usual name of a damaged file that the user keeps under a name that says so; null for other files. */
  unverified: z.string().nullable().default(null),
});

/** Copies, moves and changes: a change copies an object onto itself. */
const copyItemSchema = z.object({
  ...baseItem,
  work: z.literal('copy'),
  targetKey: z.string(),
  /** The version to copy; null: the current one. */
  versionId: z.string().nullable().default(null),
  ...multipart,
  copy: copyStateSchema.nullable().default(null),
  /** How to undo it. Records of earlier versions have none. */
  journal: journalSchema.nullable().default(null),
  /** How this item undoes one of another job; null for other jobs. */
  undo: undoSchema.nullable().default(null),
});

const deletionItemSchema = z.object({
  ...baseItem,
  work: z.literal('deletion'),
  /** The version to delete; null: the current one. */
  versionId: z.string().nullable().default(null),
  journal: journalSchema.nullable().default(null),
  undo: undoSchema.nullable().default(null),
});

/** A stalled upload that is aborted, completed, or resumed from its file. */
const stalledItemSchema = z.object({
  ...baseItem,
  work: z.literal('stalled'),
  bucket: z.string(),
  uploadId: z.string(),
  /**
   * Persisted before the first Abort request, so that an upload missing later counts as aborted by this job. Bytes are null
   * if the parts cannot be listed.
   */
  aborting: z.object({ storedBytes: z.number().nullable() }).nullable(),
  /** The completion that the user confirmed; null if none is needed. */
  agreed: completionRequestSchema.omit({ ref: true }).nullable(),
  /** The completion or the resume, as the job of a single upload. */
  upload: uploadJobSchema.nullable(),
});

/** One object of a job. Its fields depend on its kind. */
export const itemSchema = z.discriminatedUnion('work', [
  uploadItemSchema,
  fetchedItemSchema,
  copyItemSchema,
  deletionItemSchema,
  stalledItemSchema,
]);

export type UploadItem = Readonly<z.infer<typeof uploadItemSchema>>;
export type DownloadItem = Readonly<z.infer<typeof fetchedItemSchema>>;
export type CopyItem = Readonly<z.infer<typeof copyItemSchema>>;
export type DeletionItem = Readonly<z.infer<typeof deletionItemSchema>>;
export type StalledItem = Readonly<z.infer<typeof stalledItemSchema>>;
export type Item = UploadItem | DownloadItem | CopyItem | DeletionItem | StalledItem;

/** Items that use a multipart upload if they are large. */
export type MultipartItem = UploadItem | CopyItem;

/** Items of operations on the service. */
export type OperationItem = CopyItem | DeletionItem;

type Known = Pick<Item, 'seq' | 'key' | 'kind' | 'sizeBytes'>;

const unbegun = {
  state: 'todo',
  note: null,
  etag: null,
  modifiedAt: null,
  dueMs: 0,
  tries: 0,
  error: null,
  source: null,
  target: null,
  decision: null,
  verified: null,
  restarts: 0,
  damages: 0,
  sync: null,
} as const;

const noUpload = { token: null, begun: null, upload: null } as const;

export function newUploadItem(known: Known & Pick<UploadItem, 'path'> & Partial<UploadItem>): UploadItem {
  return { ...unbegun, ...noUpload, work: 'upload', damaged: null, givenUp: null, ...known };
}

export function newDownloadItem(
  known: Known & Pick<DownloadItem, 'localName'> & Partial<DownloadItem>,
): DownloadItem {
  return {
    ...unbegun,
    work: 'download',
    versionId: null,
    pieces: null,
    placing: null,
    unverified: null,
    ...known,
  };
}

export function newCopyItem(known: Known & Pick<CopyItem, 'targetKey'> & Partial<CopyItem>): CopyItem {
  return {
    ...unbegun,
    ...noUpload,
    work: 'copy',
    versionId: null,
    copy: null,
    journal: null,
    undo: null,
    ...known,
  };
}

export function newDeletionItem(known: Known & Partial<DeletionItem>): DeletionItem {
  return { ...unbegun, work: 'deletion', versionId: null, journal: null, undo: null, ...known };
}

export function newStalledItem(
  known: Pick<StalledItem, 'seq' | 'bucket' | 'key' | 'uploadId'> & Partial<StalledItem>,
): StalledItem {
  return {
    ...unbegun,
    work: 'stalled',
    kind: 'file',
    sizeBytes: null,
    aborting: null,
    agreed: null,
    upload: null,
    ...known,
  };
}

/** Returns the item as this kind. Throws `AppError('internal')` for any other. */
export function itemOfWork<W extends Item['work']>(item: Item, work: W): Extract<Item, { work: W }> {
  if (!isOfWork(item, work))
    throw failure('internal', `An item of ${work} was expected, not of ${item.work}.`);
  return item;
}

function isOfWork<W extends Item['work']>(item: Item, work: W): item is Extract<Item, { work: W }> {
  return item.work === work;
}
