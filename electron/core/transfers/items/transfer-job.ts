import { z } from 'zod';
import { appErrorSchema } from '../../../../shared/error-schema.ts';
import { failure } from '../../../../shared/errors.ts';
import { folderOf } from '../../../../shared/keys/paths.ts';
import { transferKinds, type KindOfUploads } from '../../../../shared/models/job-kinds.ts';
import { jobOutcomes, jobReasons } from '../../../../shared/models/jobs.ts';
import {
  conflictActions,
  conflictPolicies,
  downloadItemSchema,
  itemNotes,
  itemStates,
  sideSchema,
  uploadOptionsSchema,
  type DownloadItem as ChosenItem,
  type UploadOptions,
} from '../../../../shared/models/transfers.ts';
import { completionRequestSchema } from '../../../../shared/models/stalled.ts';
import { baseJobFields } from '../../jobs/base-job.ts';
import type { BaseJob } from '../../jobs/job.ts';
import {
  copyStateSchema,
  journalSchema,
  operationSchema,
  undoSchema,
  type OperationRecord,
} from './operation-record.ts';
import type { LocalSource } from '../../disk/fence.ts';
import { uploadJobSchema } from '../../multipart/upload-job.ts';

const countsSchema = z.object({
  total: z.int(),
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
  asking: z.int(),
  bytesTotal: z.number(),
  /** Bytes of all settled items, whatever their result. */
  bytesDone: z.number(),
  /** For a sync: how many of `done` were deletions. */
  removed: z.int().default(0),
  /** How many of `done` needed nothing, because the target was already as wanted. */
  same: z.int().default(0),
  /** How many different errors the failed items have, when the last pass ended. */
  causes: z.int().default(0),
  /** How many of `done` and `skipped` have a note worth showing. */
  noted: z.int().default(0),
});

export const transferJobSchema = z.object({
  ...baseJobFields,
  kind: z.enum(transferKinds),
  bucket: z.string(),
  /** Uploads are stored below it; names of downloads are relative to it. */
  prefix: z.string(),
  /** For show. */
  name: z.string(),
  /** Uploads: what was chosen on this computer. */
  sources: z.array(z.string()),
  /** Their real paths when they were chosen; records of earlier versions have none. */
  roots: z.array(z.string()).default([]),
  upload: uploadOptionsSchema.nullable(),
  /** Downloads: what was chosen of the bucket, and the real path of the folder. */
  wanted: z.array(downloadItemSchema),
  folder: z.string().nullable(),
  /** Operations on the service. Records of earlier versions have none. */
  operation: operationSchema.nullable().default(null),
  /** It was cancelled, and what it did is being undone. */
  cancelling: z.boolean().default(false),
  onConflict: z.enum(conflictPolicies),
  /** Its items come from a plan in which the user saw the replacements and deletions. */
  isSync: z.boolean().default(false),
  /** Items that the plan of a sync leaves unchanged. */
  left: z.object({ unchanged: z.int(), skipped: z.int() }).nullable().default(null),
  prepared: z.boolean(),
  /** Downloads: how far the listing is. */
  cursor: z.object({ index: z.int(), afterKey: z.string().nullable() }),
  counts: countsSchema,
  /** Failures in a row without any progress. */
  failures: z.int(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  error: z.nullable(appErrorSchema),
});

/** For a sync: the planned action, and the target as seen by the plan. */
const plannedSchema = z.object({
  action: z.enum(['copy', 'overwrite', 'remove']),
  /** Null if the target did not exist. */
  target: sideSchema.nullable(),
  /** Deletions on this computer: the folder up to which emptied folders go too. */
  keep: z.string().nullable(),
  /** An entry that the same plan deletes has its name. */
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
  /** How many times in a row the bytes differed from what the service describes. */
  damages: z.int().default(0),
  sync: plannedSchema.nullable().default(null),
};

/** Fields of items that may use a multipart upload. */
const multipart = {
  /** Written as x-amz-meta-cooper-upload, so that an object tells by which upload it came. */
  token: z.string().nullable(),
  /** On disk before CreateMultipartUpload: the uploads of this key at that time; null where the service does not list them. */
  begun: z.object({ known: z.array(z.string()).nullable() }).nullable(),
  /** The multipart upload, as the job that finishes a stalled one. */
  upload: uploadJobSchema.nullable(),
};

const uploadItemSchema = z.object({
  ...baseItem,
  work: z.literal('upload'),
  /** The whole path of the file or folder on this computer. */
  path: z.string(),
  /** Which of the job's roots it is in; absent: none. */
  root: z.int().optional(),
  /** A link leads out of the root, and the user chose to follow it. */
  leaves: z.boolean().optional(),
  ...multipart,
  /** The object that a damaged try of this item has left at its key: another try may replace it. */
  damaged: z.object({ etag: z.string(), sizeBytes: z.number().nullable() }).nullable().default(null),
  /** On disk before Cooper aborts an upload that the user no longer wants. */
  givenUp: z.object({ key: z.string(), uploadId: z.string() }).nullable().default(null),
});

const fetchedItemSchema = z.object({
  ...baseItem,
  work: z.literal('download'),
  /** The path below the chosen folder, with `/`. */
  localName: z.string(),
  /** The chosen version; null: the current one. */
  versionId: z.string().nullable().default(null),
  /** A download in pieces: which are on disk, as bits in Base64. */
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
  /** On disk before a finished file gets its name: how to recognize it. */
  placing: z.object({ inode: z.string(), sizeBytes: z.number() }).nullable(),
  /** The user keeps the file although it is damaged, under a name that says so; this is its usual name. */
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
  /** For a job that undoes another. */
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

/** An unfinished upload that is aborted, completed, or finished from its file. */
const stalledItemSchema = z.object({
  ...baseItem,
  work: z.literal('stalled'),
  bucket: z.string(),
  uploadId: z.string(),
  /**
   * Persisted before the first Abort, so that an upload missing later counts as aborted by this job. Bytes are null if
   * the parts cannot be listed.
   */
  aborting: z.object({ storedBytes: z.number().nullable() }).nullable(),
  /** The completion that the user confirmed; null if none is needed. */
  agreed: completionRequestSchema.omit({ ref: true }).nullable(),
  /** The Complete, or the resume, as the job of a single upload. */
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

export type TransferCounts = Readonly<z.infer<typeof countsSchema>>;
export type TransferKind = (typeof transferKinds)[number];
export type TransferJob = Readonly<z.infer<typeof transferJobSchema>> & BaseJob;
export type UploadItem = Readonly<z.infer<typeof uploadItemSchema>>;
export type DownloadItem = Readonly<z.infer<typeof fetchedItemSchema>>;
export type CopyItem = Readonly<z.infer<typeof copyItemSchema>>;
export type DeletionItem = Readonly<z.infer<typeof deletionItemSchema>>;
export type StalledItem = Readonly<z.infer<typeof stalledItemSchema>>;
export type Item = UploadItem | DownloadItem | CopyItem | DeletionItem | StalledItem;
/** Written by a multipart upload where they are large. */
export type MultipartItem = UploadItem | CopyItem;
/** Items of operations on the service. */
export type OperationItem = CopyItem | DeletionItem;
export type PlannedItems = Readonly<z.infer<typeof plannedSchema>>;

const noCounts: TransferCounts = {
  total: 0,
  done: 0,
  skipped: 0,
  failed: 0,
  asking: 0,
  bytesTotal: 0,
  bytesDone: 0,
  removed: 0,
  same: 0,
  causes: 0,
  noted: 0,
};

export interface NewTransfer {
  readonly id: string;
  readonly nowMs: number;
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly name: string;
}

/** A file or folder that the user chose, and its real path at that time. */
export interface ChosenSource {
  readonly path: string;
  readonly real: string;
}

export function uploadTransfer(
  seed: NewTransfer,
  sources: readonly ChosenSource[],
  options: UploadOptions,
): TransferJob {
  return {
    ...blank(seed),
    kind: 'upload',
    sources: sources.map(({ path }) => path),
    roots: sources.map(({ real }) => real),
    upload: options,
    onConflict: options.onConflict,
  };
}

export function downloadTransfer(
  seed: NewTransfer,
  wanted: readonly ChosenItem[],
  folder: string,
  onConflict: TransferJob['onConflict'],
): TransferJob {
  return { ...blank(seed), kind: 'download', wanted: [...wanted], folder, onConflict };
}

export function operationTransfer(
  kind: 'copy' | 'move' | 'delete' | 'change',
  seed: NewTransfer,
  operation: OperationRecord,
  onConflict: TransferJob['onConflict'],
): TransferJob {
  return { ...blank(seed), kind, operation, onConflict };
}

/** Returns a job whose items are already persisted: its list is complete. */
export function uploadsTransfer(
  kind: KindOfUploads,
  seed: NewTransfer,
  known: Pick<TransferCounts, 'total' | 'bytesTotal'>,
): TransferJob {
  return { ...blank(seed), kind, prepared: true, counts: { ...noCounts, ...known } };
}

function blank(seed: NewTransfer): Omit<TransferJob, 'kind'> {
  return {
    id: seed.id,
    state: 'waiting',
    connectionId: seed.connectionId,
    lockKey: seed.id,
    createdMs: seed.nowMs,
    updatedMs: seed.nowMs,
    stateSinceMs: seed.nowMs,
    dueMs: null,
    run: 0,
    bucket: seed.bucket,
    prefix: seed.prefix,
    name: seed.name,
    sources: [],
    roots: [],
    upload: null,
    wanted: [],
    folder: null,
    operation: null,
    cancelling: false,
    onConflict: 'ask',
    isSync: false,
    left: null,
    prepared: false,
    cursor: { index: 0, afterKey: null },
    counts: noCounts,
    failures: 0,
    reason: null,
    outcome: null,
    error: null,
  };
}

/** Returns the parent folder of an object or folder. */
function aboveOf(keyOrPrefix: string): string {
  return folderOf(keyOrPrefix.endsWith('/') ? keyOrPrefix.slice(0, -1) : keyOrPrefix);
}

/** Returns true if the job copies an older version over its object. */
export function isVersionRestore({ kind, bucket, connectionId, prefix, operation }: TransferJob): boolean {
  if (kind !== 'copy' || operation === null || operation.undoes !== undefined) return false;
  const { to, items } = operation;
  const isSamePlace = to?.connectionId === connectionId && to.bucket === bucket && to.prefix === prefix;
  return isSamePlace && items.every((item) => item.kind === 'key' && item.versionId !== undefined);
}

/** A rename moves one thing, under the whole of its key, to another name in the same folder; or several, each to its new name. */
export function isRename({ kind, connectionId, bucket, prefix, operation }: TransferJob): boolean {
  if (operation?.undoes !== undefined) return operation.undoes.isRename;
  if (operation?.newKeys !== undefined) return true;
  const { items = [], to } = operation ?? {};
  const [only, ...others] = items;
  if (kind !== 'move' || only === undefined || others.length > 0 || prefix === '') return false;
  const isHere = to?.connectionId === connectionId && to.bucket === bucket;
  const isWhole =
    (only.kind === 'key' && only.key === prefix) || (only.kind === 'prefix' && only.prefix === prefix);
  return isHere && isWhole && aboveOf(to.prefix) === aboveOf(prefix);
}

/** Returns true if the job removes delete markers, so that objects return. */
export function isMarkerRestore({ operation }: TransferJob): boolean {
  return operation?.restores === true;
}

export { noCounts };

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

/** The file of an item, and where its content may come from. */
export function sourceOf(
  { roots }: Pick<TransferJob, 'roots'>,
  { path, root, leaves }: Pick<UploadItem, 'path' | 'root' | 'leaves'>,
): LocalSource {
  const within = leaves === true || root === undefined ? undefined : roots[root];
  return { path, within };
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
