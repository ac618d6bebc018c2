import { z } from 'zod';
import { appErrorSchema } from '../../../../shared/error-schema.ts';
import { folderOf } from '../../../../shared/keys/paths.ts';
import { transferKinds, type KindOfUploads } from '../../../../shared/models/job-kinds.ts';
import { jobOutcomes, jobReasons } from '../../../../shared/models/jobs.ts';
import {
  conflictPolicies,
  downloadItemSchema,
  uploadOptionsSchema,
  type DownloadItem as ChosenItem,
  type UploadOptions,
} from '../../../../shared/models/transfers.ts';
import { baseJobFields, type BaseJob } from '../../jobs/job.ts';
import { newJobFields } from '../../jobs/life.ts';
import { operationSchema, type OperationRecord } from './operation-record.ts';
import type { LocalSource } from '../../disk/fence.ts';
import type { UploadItem } from './transfer-item.ts';

const countsSchema = z.object({
  total: z.int(),
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
  asking: z.int(),
  bytesTotal: z.number(),
  /** The size of all settled items, with any result. */
  bytesDone: z.number(),
  /** The number of done items that deleted something, in a synchronization. */
  removed: z.int().default(0),
  /** The number of done items that changed nothing, because the target was already equal. */
  same: z.int().default(0),
  /** The number of different errors among the items that failed in the last run. */
  causes: z.int().default(0),
  /** The number of done and skipped items with a note to show. */
  noted: z.int().default(0),
});

export const transferJobSchema = z.object({
  ...baseJobFields,
  kind: z.enum(transferKinds),
  bucket: z.string(),
  /** The prefix below which uploads are stored. Names of downloads are relative to it. */
  prefix: z.string(),
  /** The name of the job to display. */
  name: z.string(),
  /** The files and folders on this computer that were chosen for an upload. */
  sources: z.array(z.string()),
  /** The real paths of the sources when they were chosen; empty in records of earlier versions. */
  roots: z.array(z.string()).default([]),
  upload: uploadOptionsSchema.nullable(),
  /** The objects chosen for a download. `folder` is the real path of its target. */
  wanted: z.array(downloadItemSchema),
  folder: z.string().nullable(),
  /** The parameters of an operation on objects; null for other jobs, and in records of earlier versions. */
  operation: operationSchema.nullable().default(null),
  /** True from a cancel until the partial results are removed. */
  cancelling: z.boolean().default(false),
  onConflict: z.enum(conflictPolicies),
  /** True for a synchronization. Its items come from a plan in which the user saw all replacements and deletions. */
  isSync: z.boolean().default(false),
  /** How many items the plan of a synchronization left unchanged or skipped. */
  left: z.object({ unchanged: z.int(), skipped: z.int() }).nullable().default(null),
  prepared: z.boolean(),
  /** The position up to which the items of a download were listed. */
  cursor: z.object({ index: z.int(), afterKey: z.string().nullable() }),
  counts: countsSchema,
  /** The number of consecutive failures without progress. */
  failures: z.int(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  error: z.nullable(appErrorSchema),
});

export type TransferCounts = Readonly<z.infer<typeof countsSchema>>;
export type TransferKind = (typeof transferKinds)[number];
export type TransferJob = Readonly<z.infer<typeof transferJobSchema>> & BaseJob;

export const noCounts: TransferCounts = {
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

/** A chosen file or folder, with its real path when it was chosen. */
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
  chosenItems: readonly ChosenItem[],
  folder: string,
  onConflict: TransferJob['onConflict'],
): TransferJob {
  return { ...blank(seed), kind: 'download', wanted: [...chosenItems], folder, onConflict };
}

export function operationTransfer(
  kind: 'copy' | 'move' | 'delete' | 'change',
  seed: NewTransfer,
  operation: OperationRecord,
  onConflict: TransferJob['onConflict'],
): TransferJob {
  return { ...blank(seed), kind, operation, onConflict };
}

/** Creates a job whose items are already stored. */
export function uploadsTransfer(
  kind: KindOfUploads,
  seed: NewTransfer,
  known: Pick<TransferCounts, 'total' | 'bytesTotal'>,
): TransferJob {
  return { ...blank(seed), kind, prepared: true, counts: { ...noCounts, ...known } };
}

function blank(seed: NewTransfer): Omit<TransferJob, 'kind'> {
  return {
    ...newJobFields({ ...seed, lockKey: seed.id }),
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
  };
}

/** Returns the folder that contains an object or folder. */
function parentFolderOf(keyOrPrefix: string): string {
  return folderOf(keyOrPrefix.endsWith('/') ? keyOrPrefix.slice(0, -1) : keyOrPrefix);
}

/** Returns true if the job restores older versions by copying them over their objects. */
export function isVersionRestore({ kind, bucket, connectionId, prefix, operation }: TransferJob): boolean {
  if (kind !== 'copy' || operation === null || operation.undoes !== undefined) return false;
  const { to, items } = operation;
  const isSamePlace = to?.connectionId === connectionId && to.bucket === bucket && to.prefix === prefix;
  return isSamePlace && items.every((item) => item.kind === 'key' && item.versionId !== undefined);
}

/** Returns true if the job moves one object or folder to another name in the same folder, or renames several objects. */
export function isRename({ kind, connectionId, bucket, prefix, operation }: TransferJob): boolean {
  if (operation?.undoes !== undefined) return operation.undoes.isRename;
  if (operation?.newKeys !== undefined) return true;
  const { items = [], to } = operation ?? {};
  const [only, ...others] = items;
  if (kind !== 'move' || only === undefined || others.length > 0 || prefix === '') return false;
  const isSameBucket = to?.connectionId === connectionId && to.bucket === bucket;
  const isWhole =
    (only.kind === 'key' && only.key === prefix) || (only.kind === 'prefix' && only.prefix === prefix);
  return isSameBucket && isWhole && parentFolderOf(to.prefix) === parentFolderOf(prefix);
}

/** Returns true if the job removes delete markers, so that hidden objects are visible again. */
export function isMarkerRestore({ operation }: TransferJob): boolean {
  return operation?.restores === true;
}

/** Returns the item's local file. `within` is the folder that it must be inside; undefined if it may be anywhere. */
export function sourceOf(
  { roots }: Pick<TransferJob, 'roots'>,
  { path, root, leaves }: Pick<UploadItem, 'path' | 'root' | 'leaves'>,
): LocalSource {
  const within = leaves === true || root === undefined ? undefined : roots[root];
  return { path, within };
}
