import { z } from 'zod';
import { appErrorSchema } from '../../../../shared/errors.ts';
import { jobOutcomes, jobReasons, jobStates } from '../../../../shared/models/jobs.ts';
import {
  conflictActions,
  conflictPolicies,
  downloadItemSchema,
  itemNotes,
  itemStates,
  sideSchema,
  uploadOptionsSchema,
  type DownloadItem,
  type UploadOptions,
} from '../../../../shared/models/transfers.ts';
import type { BaseJob } from '../../jobs/types.ts';
import { copyStateSchema, operationSchema, type Operation } from './operation.ts';
import { uploadJobSchema } from '../../multipart/upload-job.ts';

const countsSchema = z.object({
  total: z.int(),
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
  asking: z.int(),
  bytesTotal: z.number(),
  /** Of the items that are settled, whatever way. */
  bytesDone: z.number(),
  /** Of a sync: those of `done` that were deletions. */
  removed: z.int().default(0),
  /** Of `done` and `skipped`: those with a note worth a line. */
  noted: z.int().default(0),
});

export const transferKinds = ['upload', 'download', 'copy', 'move', 'delete', 'change'] as const;

export const transferJobSchema = z.object({
  id: z.string(),
  kind: z.enum(transferKinds),
  state: z.enum(jobStates),
  connectionId: z.string(),
  lockKey: z.string(),
  createdMs: z.number(),
  updatedMs: z.number(),
  stateSinceMs: z.number(),
  dueMs: z.number().nullable(),
  run: z.int(),
  bucket: z.string(),
  /** Uploads go below it; the names of downloads begin behind it. */
  prefix: z.string(),
  /** For show. */
  name: z.string(),
  /** Uploads: what was chosen on this computer. */
  sources: z.array(z.string()),
  upload: uploadOptionsSchema.nullable(),
  /** Downloads: what was chosen of the bucket, and the real path of the folder. */
  wanted: z.array(downloadItemSchema),
  folder: z.string().nullable(),
  /** Operations on the service. Records of earlier versions have none. */
  operation: operationSchema.nullable().default(null),
  /** It was cancelled, and what it did is being undone. */
  cancelling: z.boolean().default(false),
  onConflict: z.enum(conflictPolicies),
  /** Its items are the rows of a plan: the user has seen what is replaced and deleted. */
  isSync: z.boolean().default(false),
  /** What the plan of a sync left as it is. */
  left: z.object({ unchanged: z.int(), skipped: z.int() }).nullable().default(null),
  prepared: z.boolean(),
  /** Downloads: how far the listing is. */
  cursor: z.object({ index: z.int(), afterKey: z.string().nullable() }),
  counts: countsSchema,
  /** Failures in a row without any progress. */
  failures: z.int(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  error: appErrorSchema.nullable(),
});

/** Of a sync: what its plan said, and saw where something is replaced or deleted. */
const plannedSchema = z.object({
  action: z.enum(['copy', 'overwrite', 'remove']),
  /** null: nothing was there. */
  target: sideSchema.nullable(),
  /** Deletions on this computer: the folder up to which emptied folders go too. */
  keep: z.string().nullable(),
  /** Something that is deleted with it has its name. */
  isBlocked: z.boolean(),
});

export const itemSchema = z.object({
  seq: z.int(),
  state: z.enum(itemStates),
  note: z.enum(itemNotes).nullable(),
  key: z.string(),
  /** Uploads: the whole path. Downloads: the path below the folder, with `/`. Copies: the target's key. */
  local: z.string(),
  kind: z.enum(['file', 'folder']),
  sizeBytes: z.number().nullable(),
  etag: z.string().nullable(),
  modifiedAt: z.string().nullable(),
  /** Not before this moment. */
  dueMs: z.number(),
  tries: z.int(),
  error: appErrorSchema.nullable(),
  source: sideSchema.nullable(),
  target: sideSchema.nullable(),
  decision: z.enum(conflictActions).nullable(),
  verified: z.boolean().nullable(),
  /** Written as x-amz-meta-cooper-upload, so that an object tells by which upload it came. */
  token: z.string().nullable(),
  /** On disk before CreateMultipartUpload: the uploads of this key that were there before; null where nobody tells. */
  begun: z.object({ known: z.array(z.string()).nullable() }).nullable(),
  /** The upload in parts, in the words of finishing a stalled one. */
  upload: uploadJobSchema.nullable(),
  /** On disk before an upload that the user does not want any more is removed from the service. */
  givenUp: z.object({ key: z.string(), uploadId: z.string() }).nullable().default(null),
  /** A download in pieces: which are on disk, as bits in Base64. */
  pieces: z
    .object({
      etag: z.string(),
      sizeBytes: z.number(),
      /** Records of earlier versions have none. */
      lastModified: z.string().nullable().default(null),
      pieceBytes: z.number(),
      present: z.string(),
      /** Of pieces that are not whole, by their number: so many bytes from their beginning are on disk. */
      reached: z.record(z.string(), z.number()).default({}),
    })
    .nullable(),
  /** On disk before a finished file gets its name: how to know it again. */
  placing: z.object({ inode: z.string(), sizeBytes: z.number() }).nullable(),
  /** How often the object changed while it was read. */
  restarts: z.int(),
  /** How often in a row what came was not what the service describes. */
  damages: z.int().default(0),
  /** The user wants it as it comes, under a name that says so; this is the name that it has otherwise. */
  unverified: z.string().nullable().default(null),
  /** Operations: the one version that is meant; null: the current one. */
  versionId: z.string().nullable().default(null),
  copy: copyStateSchema.nullable().default(null),
  sync: plannedSchema.nullable().default(null),
});

export type TransferCounts = Readonly<z.infer<typeof countsSchema>>;
export type TransferKind = (typeof transferKinds)[number];
export type TransferJob = Readonly<z.infer<typeof transferJobSchema>> & BaseJob;
export type Item = Readonly<z.infer<typeof itemSchema>>;
export type Planned = Readonly<z.infer<typeof plannedSchema>>;

const noCounts: TransferCounts = {
  total: 0,
  done: 0,
  skipped: 0,
  failed: 0,
  asking: 0,
  bytesTotal: 0,
  bytesDone: 0,
  removed: 0,
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

export function uploadTransfer(
  seed: NewTransfer,
  sources: readonly string[],
  options: UploadOptions,
): TransferJob {
  return {
    ...blank(seed),
    kind: 'upload',
    sources: [...sources],
    upload: options,
    onConflict: options.onConflict,
  };
}

export function downloadTransfer(
  seed: NewTransfer,
  wanted: readonly DownloadItem[],
  folder: string,
  onConflict: TransferJob['onConflict'],
): TransferJob {
  return { ...blank(seed), kind: 'download', wanted: [...wanted], folder, onConflict };
}

export function operationTransfer(
  kind: 'copy' | 'move' | 'delete' | 'change',
  seed: NewTransfer,
  operation: Operation,
  onConflict: TransferJob['onConflict'],
): TransferJob {
  return { ...blank(seed), kind, operation, onConflict };
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

export { noCounts };

type Known = Pick<Item, 'seq' | 'key' | 'local' | 'kind' | 'sizeBytes'> & Partial<Item>;

export function newItem(known: Known): Item {
  return {
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
    token: null,
    begun: null,
    upload: null,
    pieces: null,
    placing: null,
    restarts: 0,
    damages: 0,
    unverified: null,
    givenUp: null,
    versionId: null,
    copy: null,
    sync: null,
    ...known,
  };
}
