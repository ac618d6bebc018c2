import { z } from 'zod';
import { appErrorSchema } from '../../../../shared/error-schema.ts';
import { failure } from '../../../../shared/errors.ts';
import {
  conflictActions,
  itemNotes,
  itemStates,
  sideSchema,
  isShownNote,
  type ItemNote,
} from '../../../../shared/models/transfers.ts';
import { completionRequestSchema } from '../../../../shared/models/stalled.ts';
import { copyStateSchema, journalSchema, undoSchema } from './operation-record.ts';
import { uploadJobSchema } from '../../multipart/upload-job.ts';
import { retryPolicies } from '../../flow/retry-policies.ts';

/** The action that a synchronization planned, and the target as the plan showed it. */
const plannedSchema = z.object({
  action: z.enum(['copy', 'overwrite', 'remove']),
  /** The target's state when the plan was made; null if it did not exist. */
  target: sideSchema.nullable(),
  /** For a deletion on this computer: the folder below which folders that become empty are removed too. */
  keep: z.string().nullable(),
  /** True if another entry has the item's name and the same plan deletes that entry first. */
  isBlocked: z.boolean(),
});

/** The fields that items of all kinds have. */
const baseItem = {
  seq: z.int(),
  state: z.enum(itemStates),
  note: z.enum(itemNotes).nullable(),
  /** The object's key; for a copy, the key of the source. */
  key: z.string(),
  kind: z.enum(['file', 'folder']),
  sizeBytes: z.number().nullable(),
  etag: z.string().nullable(),
  modifiedAt: z.string().nullable(),
  /** The earliest time of the next attempt, in milliseconds since 1970. */
  dueMs: z.number(),
  tries: z.int(),
  error: z.nullable(appErrorSchema),
  source: sideSchema.nullable(),
  target: sideSchema.nullable(),
  decision: z.enum(conflictActions).nullable(),
  verified: z.boolean().nullable(),
  /** How often the item started again because the object or file changed while it was read. */
  restarts: z.int(),
  /** The number of consecutive attempts whose content did not match the service's digest or length. */
  damages: z.int().default(0),
  sync: plannedSchema.nullable().default(null),
};

/** The fields of items that may be uploaded in parts. */
const multipart = {
  /** A random text in the object's metadata x-amz-meta-cooper-upload. It shows that the object is the result of this upload. */
  token: z.string().nullable(),
  /** Stored before CreateMultipartUpload. `known` lists the uploads of the key at that time; null if they cannot be listed. */
  begun: z.object({ known: z.array(z.string()).nullable() }).nullable(),
  /** The multipart upload, in the same form as the job of a stalled upload. */
  upload: uploadJobSchema.nullable(),
};

const uploadItemSchema = z.object({
  ...baseItem,
  work: z.literal('upload'),
  /** The full path of the file or folder on this computer. */
  path: z.string(),
  /** The index of the chosen folder in the job's `roots` that contains the file; absent if there is none. */
  root: z.int().optional(),
  /** True if the file is outside the chosen folder, behind a link that the user chose to follow. */
  leaves: z.boolean().optional(),
  ...multipart,
  /** A damaged object that an earlier attempt of this item left at the key. The next attempt may replace it. */
  damaged: z.object({ etag: z.string(), sizeBytes: z.number().nullable() }).nullable().default(null),
  /** The upload to abort because the user no longer wants it. Stored before the Abort request. */
  givenUp: z.object({ key: z.string(), uploadId: z.string() }).nullable().default(null),
});

const fetchedItemSchema = z.object({
  ...baseItem,
  work: z.literal('download'),
  /** The local path below the chosen folder, with `/` between its segments. */
  localName: z.string(),
  /** The chosen version; null for the current one. */
  versionId: z.string().nullable().default(null),
  /** The progress of a download in pieces. `present` has one bit for each piece on disk, in Base64. */
  pieces: z
    .object({
      etag: z.string(),
      sizeBytes: z.number(),
      /** Null in records of earlier versions. */
      lastModified: z.string().nullable().default(null),
      pieceBytes: z.number(),
      present: z.string(),
      /** The number of bytes on disk of each incomplete piece, by the piece's index. */
      reached: z.record(z.string(), z.number()).default({}),
    })
    .nullable(),
  /** The finished file, stored before its rename, so that it is recognized after a crash. */
  placing: z.object({ inode: z.string(), sizeBytes: z.number() }).nullable(),
  /** The usual name of a damaged file that the user keeps under a name that marks it as unverified; null for other files. */
  unverified: z.string().nullable().default(null),
});

/** An object to copy, move or change. A change copies the object onto itself. */
const copyItemSchema = z.object({
  ...baseItem,
  work: z.literal('copy'),
  targetKey: z.string(),
  /** The version to copy; null for the current one. */
  versionId: z.string().nullable().default(null),
  ...multipart,
  copy: copyStateSchema.nullable().default(null),
  /** The effects of this item that an undo must reverse; null in records of earlier versions. */
  journal: journalSchema.nullable().default(null),
  /** How this item undoes an item of another job; null if it does not. */
  undo: undoSchema.nullable().default(null),
});

const deletionItemSchema = z.object({
  ...baseItem,
  work: z.literal('deletion'),
  /** The version to delete; null for the current one. */
  versionId: z.string().nullable().default(null),
  journal: journalSchema.nullable().default(null),
  undo: undoSchema.nullable().default(null),
});

/** A stalled upload to abort, to complete, or to resume from its file. */
const stalledItemSchema = z.object({
  ...baseItem,
  work: z.literal('stalled'),
  bucket: z.string(),
  uploadId: z.string(),
  /**
   * Stored before the first Abort request. If the upload is missing afterwards, this job aborted it. `storedBytes` is null if the
   * parts cannot be listed.
   */
  aborting: z.object({ storedBytes: z.number().nullable() }).nullable(),
  /** The completion that the user confirmed; null if none needs confirmation. */
  agreed: completionRequestSchema.omit({ ref: true }).nullable(),
  /** The completion or resumption, in the same form as the job of a single upload. */
  upload: uploadJobSchema.nullable(),
});

/** One object, file or upload that a job processes. */
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

/** Items whose objects are uploaded in parts if they are large. */
export type MultipartItem = UploadItem | CopyItem;

/** Items of jobs that only change objects on services. */
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

/** Returns the item if it is of this kind. Throws `AppError('internal')` otherwise. */
export function itemOfWork<W extends Item['work']>(item: Item, work: W): Extract<Item, { work: W }> {
  if (!isOfWork(item, work))
    throw failure('internal', `An item of ${work} was expected, not of ${item.work}.`);
  return item;
}

function isOfWork<W extends Item['work']>(item: Item, work: W): item is Extract<Item, { work: W }> {
  return item.work === work;
}

/** Returns the fields `verified` and `note` of an item, by whether its content was proved. Keeps a more important note. */
export function verdictOn(
  note: ItemNote | null,
  isProved: boolean,
): { readonly verified: boolean; readonly note: ItemNote | null } {
  if (isProved) return { verified: true, note: note === 'not-verified' ? null : note };
  return { verified: false, note: isShownNote(note) ? note : 'not-verified' };
}

/** Returns true if one more damaged attempt would be the item's last. */
export function isLastDamage({ damages }: Pick<Item, 'damages'>): boolean {
  return damages + 1 >= retryPolicies.item.maxDamages;
}
