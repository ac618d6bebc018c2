import path from 'node:path';
import { assertNever } from '../../../shared/assert-never.ts';
import { isOfUploads } from '../../../shared/models/job-kinds.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import type { StoredParts, TransferItem } from '../../../shared/models/transfers.ts';
import { baseModel, type Live } from '../jobs/job.ts';
import { isMarkerRestore, isRename, type TransferJob } from './items/transfer-job.ts';
import { itemPages, type ItemStore } from './items/item-store.ts';
import { begunBytes } from './items/piece-bits.ts';
import type { Item } from './items/transfer-item.ts';
import type { TransferEvent } from './items/transfer-transition.ts';

interface ModelNeeds {
  /** Returns how many bytes of unfinished items are stored. Called only while the job is not running. */
  readonly begunBytes: () => number;
  /** True if a Complete request of the job has had no response for a long time. */
  readonly isSilent: boolean;
}

/** Returns a transfer as the windows show it. */
export function transferModel(
  job: TransferJob,
  live: Live | null,
  { begunBytes, isSilent }: ModelNeeds,
): Job {
  const { counts } = job;
  const { total, done, skipped, failed, asking } = counts;
  const bytesDone = live?.bytesDone ?? counts.bytesDone + begunBytes();
  const speed = live?.bytesPerSecond ?? null;
  const leftBytes = Math.max(0, counts.bytesTotal - bytesDone);
  const chosenCount = isOfUploads(job.kind) ? counts.total : countChosen(job);
  return {
    ...baseModel(job),
    bucket: job.bucket,
    key: keyOf(job),
    fileName: job.name,
    partsTotal: total,
    partsDone: done + skipped,
    bytesTotal: counts.bytesTotal,
    bytesDone,
    speedBytesPerSecond: speed,
    // Unknown while the list of items still grows.
    remainingMs:
      speed === null || speed <= 0 || job.state === 'preparing'
        ? null
        : Math.round((leftBytes / speed) * 1000),
    ...(isSilent ? { waitsFor: 'complete-answer' as const } : {}),
    items: {
      total,
      done,
      skipped,
      failed,
      asking,
      ...(counts.same > 0 ? { same: counts.same } : {}),
      ...(failed > 0 && counts.causes > 1 ? { causes: counts.causes } : {}),
      ...(counts.noted > 0 ? { noted: counts.noted } : {}),
    },
    ...(job.isSync && job.left !== null ? { sync: { ...job.left, removed: counts.removed } } : {}),
    ...(chosenCount > 1 ? { moreChosen: chosenCount - 1 } : {}),
    ...(isOfSearch(job) ? { isOfSearch: true as const } : {}),
    ...(job.operation === null || job.operation.to === null ? {} : { target: job.operation.to }),
    ...(isRename(job) ? { isRename: true as const } : {}),
    ...(isMarkerRestore(job) ? { isRestore: true as const } : {}),
    ...undoesOf(job),
  };
}

function undoesOf({ operation }: TransferJob): Pick<Job, 'undoes'> {
  if (operation?.folder !== undefined) return { undoes: { kind: 'new-folder', isRedo: false } };
  const undoes = operation?.undoes;
  if (undoes === undefined) return {};
  return { undoes: { kind: undoes.what ?? undoes.kind, isRedo: undoes.isRedo } };
}

/** Returns how many files, folders or objects the user chose for the job. */
function countChosen({ sources, wanted, operation }: TransferJob): number {
  return Math.max(sources.length, wanted.length, operation?.items.length ?? 0);
}

/** Returns true if all results of a search were chosen for the job. */
function isOfSearch({ operation, wanted }: TransferJob): boolean {
  return (operation?.items ?? wanted)[0]?.kind === 'walk';
}

/** Returns the key that is shown for a job. */
function keyOf(job: TransferJob): string {
  if (job.kind === 'upload') return job.prefix + job.name;
  if (isOfUploads(job.kind)) return job.name;
  const [first] = job.operation?.items ?? job.wanted;
  if (first === undefined || first.kind === 'walk') return job.prefix;
  return first.kind === 'key' ? first.key : first.prefix;
}

/** The maximum number of items to read, because a job may have millions. */
const maxCompared = 200;

type OpenItems = Pick<TransferEvent & { readonly kind: 'pass-ended' }, 'failed' | 'asksOnlyHidden'>;

/** Returns the reasons why items of a job failed or wait for the user, as needed to describe the job. */
export function openItems(items: Pick<ItemStore, 'inState'>, jobId: string): OpenItems {
  const failed = items.inState(jobId, 'failed', -1, maxCompared);
  const asking = items.inState(jobId, 'asking', -1, maxCompared);
  const causes = new Set(failed.map(({ error }) => error?.reason ?? error?.code));
  return {
    ...(failed.length === 0 ? {} : { failed: { error: failed[0]?.error ?? null, causes: causes.size } }),
    asksOnlyHidden: asking.length > 0 && asking.every(({ note }) => note === 'hidden-in-home'),
  };
}

/** Returns an item as the windows show it. */
export function itemModel(item: Item): TransferItem {
  const { seq, state, key, sizeBytes, note, verified, error, source, target } = item;
  const localName = localNameOf(item);
  return { seq, state, key, localName, kind: item.kind, sizeBytes, note, verified, error, source, target };
}

/** Returns the item's name for the window, without the full local path. */
function localNameOf(item: Item): string {
  switch (item.work) {
    case 'upload':
      return path.basename(item.path);
    case 'download':
      return item.localName;
    case 'copy':
      return item.targetKey;
    case 'deletion':
    case 'stalled':
      return item.key;
    default:
      return assertNever(item);
  }
}

export interface UnfinishedUploads extends StoredParts {
  /** The uploads without a Complete request. Only their parts may be deleted. */
  readonly refs: readonly UploadRef[];
}

const pageItems = 500;

/**
 * Returns the multipart uploads that a job started but did not finish, except those whose Complete request may have succeeded.
 */
export function unfinishedUploads(items: ItemStore, jobId: string): UnfinishedUploads {
  const refs: UploadRef[] = [];
  let sizeBytes = 0;
  for (const page of itemPages((after) => items.inProgress(jobId, after, pageItems)))
    for (const item of page) {
      const upload = item.work === 'upload' || item.work === 'copy' ? item.upload : null;
      if (upload === null || upload.uploadId === '' || upload.completion !== null) continue;
      const { connectionId, bucket, key, uploadId } = upload;
      refs.push({ connectionId, bucket, key, uploadId });
      sizeBytes += begunBytes(item) ?? 0;
    }
  return { uploads: refs.length, sizeBytes, refs };
}
