import { assertNever } from '../../../../shared/assert-never.ts';
import { failure, type AppError } from '../../../../shared/errors.ts';
import { numberedName } from '../../../../shared/keys/paths.ts';
import type { ConflictPolicy, Side } from '../../../../shared/models/transfers.ts';
import type { JobSettings } from '../../../../shared/models/jobs.ts';
import type { JobWaits } from '../../jobs/job-waits.ts';
import type { NewAttempt } from '../../jobs/job.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { Clock, Random } from '../../ports.ts';
import type { KeyWalks } from '../../walks/chosen-keys.ts';
import type { ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { BandwidthLimiter } from '../../flow/limits.ts';
import type { UploadDriver } from '../../multipart/upload-driver.ts';
import type { Hasher } from '../../disk/hash-pool.ts';
import type { PartScheduler } from '../../flow/part-scheduler.ts';
import type { FolderSyncs } from '../../disk/folder-syncs.ts';
import type { LocalFiles } from '../../disk/local-files.ts';
import type { ItemStore } from './item-store.ts';
import type { Blocks } from './blocks.ts';
import type { BucketChanges } from './key-changes.ts';
import type { TransferJob } from './transfer-job.ts';
import type { DownloadItem, Item, MultipartItem, UploadItem } from './transfer-item.ts';

/** The last step of an item, which sends no requests. The next item starts before it runs. */
export interface Deferred {
  readonly heldBytes: number;
  readonly finish: () => Promise<Item>;
}

export interface TransferDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /** Sends the parts of large files and completes their uploads. */
  readonly uploads: UploadDriver;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  /** Provides the keys below prefixes and the results of searches. */
  readonly walks: KeyWalks;
  readonly settings: () => JobSettings;
  readonly minPartBytes: number;
  readonly files: LocalFiles;
  /** The size of the pieces in which larger objects are downloaded, in bytes. Smaller in tests. */
  readonly pieceBytes: number;
  readonly folderSyncs: FolderSyncs;
  /** Moves a local file to the system's trash; null if the system has none. */
  readonly trash: ((filePath: string) => Promise<void>) | null;
  /** The real path of the user's home folder. */
  readonly home: string;
  /** The locks of uploads in parts that are running, each with the id of its job. */
  readonly lockOwners: Map<string, string>;
  /** Called after finished items were stored, with the keys that they changed. */
  readonly onKeysChanged: (changed: BucketChanges) => void;
}

/** Everything needed to process one item. */
export interface ItemContext {
  readonly deps: TransferDeps;
  readonly items: ItemStore;
  readonly job: TransferJob;
  readonly client: S3Client;
  readonly limiter: BandwidthLimiter;
  /** Limits the requests in flight for parts and pieces of all items, and their memory. */
  readonly scheduler: PartScheduler;
  /** Limits the number of whole files that are streamed to disk. Each waits for a slot before its request. */
  readonly fileScheduler: PartScheduler;
  readonly blocks: Blocks;
  readonly signal: AbortSignal;
  /** Backoff that the service requested. It delays all requests of the job. */
  readonly waits: JobWaits;
  readonly log: (attempt: NewAttempt) => void;
  /** Reports how many bytes of this item were transferred, to display progress. */
  readonly onBytes: (bytes: number) => void;
}

/** Returns the object that an item refers to, with its version if one was chosen. */
export function objectOf({ bucket }: Pick<TransferJob, 'bucket'>, item: Item): ObjectRef {
  const { key } = item;
  const versionId = item.work === 'upload' || item.work === 'stalled' ? null : item.versionId;
  return versionId === null ? { bucket, key } : { bucket, key, versionId };
}

/** Stores an item before its next action starts. Throws if the signal is aborted or the item cannot be stored. */
export function saveItem<I extends Item>(context: ItemContext, item: I, write?: () => void): I {
  context.signal.throwIfAborted();
  context.deps.store.transaction(() => {
    context.items.put(context.job.id, item);
    write?.();
  });
  return item;
}

/** Returns the item in a final state, without the fields that were needed to resume it. */
export function settled<I extends Item>(item: I, change: Partial<NoInfer<I>>): I {
  return { ...item, error: null, source: null, target: null, tries: 0, ...withoutProgress(item), ...change };
}

function withoutProgress(
  item: Item,
): Partial<Pick<MultipartItem, 'upload'> & Pick<DownloadItem, 'pieces' | 'placing'>> {
  switch (item.work) {
    case 'upload':
    case 'copy':
    case 'stalled':
      return { upload: null };
    case 'download':
      return { pieces: null, placing: null };
    case 'deletion':
      return {};
    default:
      return assertNever(item);
  }
}

export function askUser<I extends Item>(item: I, source: Side, target: Side | null): I {
  return { ...item, state: 'asking', source, target };
}

/**
 * Returns the decision for the item, or else the job's policy. If the plan of a synchronization shows another object or file at the
 * target, the job's permission to replace does not apply, and the user must decide.
 */
export function conflictPolicyOf(
  { job }: Pick<ItemContext, 'job'>,
  { decision, sync }: Pick<UploadItem | DownloadItem, 'decision' | 'sync'>,
): ConflictPolicy {
  const policy = decision ?? job.onConflict;
  const isLimitedByPlan = decision === null && (sync?.target ?? null) !== null;
  return isLimitedByPlan && (policy === 'overwrite' || policy === 'newer') ? 'ask' : policy;
}

/** Returns the first numbered form of a name that is free. Throws `AppError('conflict')` if all up to number 9,999 are taken. */
export async function freeName(
  name: string,
  isFree: (numbered: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 2; number < 10_000; number += 1) {
    const numbered = numberedName(name, number);
    if (await isFree(numbered)) return numbered;
  }
  throw failure('conflict', 'No free name was found.', { reason: 'name-taken', retry: 'after-fix' });
}

/** Returns true for errors that every other item of the job would get too. */
export function affectsWholeJob(error: AppError): boolean {
  switch (error.reason) {
    case 'connection-missing':
    case 'no-such-bucket':
    case 'disk-full':
    case 'quota-full':
      return true;
    default:
      return error.code === 'auth-expired' || error.code === 'cancelled' || error.code === 'disconnected';
  }
}
