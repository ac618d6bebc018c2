import { failure, toAppError, type AppError } from '../../../../shared/errors.ts';
import type { Side } from '../../../../shared/models/transfers.ts';
import type { JobSettings } from '../../../../shared/models/jobs.ts';
import type { JobWaits } from '../../jobs/job-waits.ts';
import type { NewAttempt } from '../../jobs/types.ts';
import type { JobStore } from '../../jobs/store.ts';
import type { Clock, Random } from '../../ports.ts';
import type { KeyWalks } from '../../walks/chosen-keys.ts';
import type { ObjectRef } from '../../s3/model/types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { BandwidthLimiter } from '../../flow/bandwidth.ts';
import type { UploadDriver } from '../../multipart/driver.ts';
import type { Hasher } from '../../disk/hash-pool.ts';
import type { PartTurns } from '../../flow/part-turns.ts';
import type { FolderSyncs } from '../../disk/folder-syncs.ts';
import type { LocalFiles } from '../../disk/local-files.ts';
import type { ItemStore } from './item-store.ts';
import type { Blocks } from './blocks.ts';
import type { Item, TransferJob } from './transfer-job.ts';

/** What is left to do with an item that needs no request any more: the next one begins meanwhile. */
export interface Deferred {
  readonly heldBytes: number;
  readonly finish: () => Promise<Item>;
}

export interface TransferDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /** What sends parts and completes. */
  readonly uploads: UploadDriver;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  /** Where the keys of whole prefixes, and of searches, come from. */
  readonly walks: KeyWalks;
  readonly settings: () => JobSettings;
  readonly minPartBytes: number;
  readonly files: LocalFiles;
  /** The size from which an object is fetched in pieces, and the size of these; tests take less. */
  readonly pieceBytes: number;
  readonly folderSyncs: FolderSyncs;
  /** Moves a local file to the system's trash; null where there is none. */
  readonly trash: ((filePath: string) => Promise<void>) | null;
  /** The person's home folder, a real path. */
  readonly home: string;
  /** The uploads in parts that are worked on now, and by which job. */
  readonly held: Map<string, string>;
}

/** What the work on one item has at hand. */
export interface ItemContext {
  readonly deps: TransferDeps;
  readonly items: ItemStore;
  readonly job: TransferJob;
  readonly client: S3Client;
  readonly limiter: BandwidthLimiter;
  /** What the parts and pieces of all items share: requests in flight, and memory for what comes. */
  readonly turns: PartTurns;
  /** What whole files share that go to the disk as they come: each waits for its turn with a request. */
  readonly fileTurns: PartTurns;
  readonly blocks: Blocks;
  readonly signal: AbortSignal;
  /** The waits that the service asks the whole job for. */
  readonly waits: JobWaits;
  readonly log: (attempt: NewAttempt) => void;
  /** Bytes of this item that have passed, for show. */
  readonly onBytes: (bytes: number) => void;
}

/** The object of a download: one version of it, where that was chosen. */
export function objectOf({ bucket }: Pick<TransferJob, 'bucket'>, { key, versionId }: Item): ObjectRef {
  return versionId === null ? { bucket, key } : { bucket, key, versionId };
}

/** Puts an item on disk before what it says is done; throws where it cannot. */
export function saveItem(context: ItemContext, item: Item, write?: () => void): Item {
  context.signal.throwIfAborted();
  context.deps.store.transaction(() => {
    context.items.put(context.job.id, item);
    write?.();
  });
  return item;
}

export function settled(item: Item, change: Partial<Item>): Item {
  return {
    ...item,
    error: null,
    source: null,
    target: null,
    tries: 0,
    upload: null,
    pieces: null,
    placing: null,
    ...change,
  };
}

export function asks(item: Item, source: Side, target: Side | null): Item {
  return { ...item, state: 'asking', source, target };
}

/** Errors that no other item of the job would be spared. */
export function isOfWholeJob(error: AppError): boolean {
  switch (error.reason) {
    case 'connection-missing':
    case 'no-such-bucket':
    case 'disk-full':
      return true;
    default:
      return error.code === 'auth-expired' || error.code === 'cancelled' || error.code === 'disconnected';
  }
}

/** What a call of the file system failed with, as the program's own error. */
export function localFailure(thrown: unknown): Error {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
  const error = toAppError(thrown);
  if (code === null || error.code !== 'internal')
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  const details = { retry: 'after-fix', cause: thrown } as const;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return failure('storage', 'The disk that the files go to is full.', {
        ...details,
        reason: 'disk-full',
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return failure('storage', 'The system does not let Cooper write here.', {
        ...details,
        reason: 'folder-unwritable',
      });
    case 'ENOENT':
    case 'ENOTDIR':
      return failure('storage', 'The folder is not there any more.', {
        ...details,
        reason: 'folder-missing',
      });
    case 'ENAMETOOLONG':
      return failure('storage', 'The system cannot hold a path of this length.', {
        ...details,
        reason: 'name-too-long',
      });
    default:
      return failure('storage', `The system said ${code}.`, { ...details, reason: 'local-failed' });
  }
}
