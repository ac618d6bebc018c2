import { realpathSync } from 'node:fs';
import os from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { minPartBytes as smallestPartOfS3 } from '../../shared/models/stalled.ts';
import { BatchDriver } from './batches/batch-driver.ts';
import { FolderSyncs } from './disk/folder-syncs.ts';
import { createHashPool, type Hasher } from './disk/hash-pool.ts';
import { localFiles, type LocalFiles } from './disk/local-files.ts';
import { createLimiter } from './flow/limits.ts';
import { JobEngine, type EngineDeps } from './jobs/engine.ts';
import { JobStore } from './jobs/job-store.ts';
import type { StoreHooks } from './store/transacted-database.ts';
import { UploadDriver } from './multipart/upload-driver.ts';
import { largestCopyBytes, togetherFrom, type OperationDeps } from './operations/objects/operation-deps.ts';
import { uploadClaimer } from './operations/stalled-uploads/stalled-strategies.ts';
import { operationStrategies } from './operations/operation-strategies.ts';
import type { Clock, DiskSync, Logger, Random } from './ports.ts';
import type { S3Client } from './s3/model/s3-client.ts';
import { syncDown, syncUp } from './sync/run-sync.ts';
import { TransferDriver } from './transfers/transfer-driver.ts';
import type { TransferDeps } from './transfers/items/item-context.ts';
import { usualPartBytes } from './transfers/items/part-size.ts';
import { downloadStrategy, uploadStrategy } from './transfers/transfer-strategies.ts';
import { listedWalks, type KeyWalks } from './walks/chosen-keys.ts';

export interface QueueDeps extends Pick<EngineDeps, 'onSettled' | 'onGone'> {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Returns the client of a connection. Rejects with not-found, reason connection-missing, if the connection was removed. */
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly diskSync?: DiskSync | undefined;
  /** Provides listings of whole prefixes. Called when a job starts. If absent, prefixes are listed page by page. */
  readonly walks?: () => KeyWalks;
  /** Moves a local file to the system's trash. If absent, files are deleted permanently. */
  readonly trash?: (filePath: string) => Promise<void>;
  /** Deletes an empty bucket. By default, sends DeleteBucket. */
  readonly removeBucket?: OperationDeps['removeBucket'];
  /** Returns the part size that the user set, in bytes. If absent, the default applies. */
  readonly partSizeBytes?: () => number;
  /** Called with the keys that finished items of jobs changed. */
  readonly onKeysChanged?: TransferDeps['onKeysChanged'];
  /** This and the following properties are for tests. */
  readonly limits?: Partial<CopyLimits>;
  readonly pieceBytes?: number;
  readonly minPartBytes?: number;
  readonly files?: LocalFiles;
  /** The home folder. By default, that of the user account. */
  readonly home?: string;
  readonly storeHooks?: StoreHooks;
  readonly hasher?: Hasher;
}

/** The sizes from which copies are made in parts, and the number of objects from which they share requests; smaller in tests. */
export type CopyLimits = Pick<OperationDeps, 'largestCopyBytes' | 'partsFromBytes' | 'togetherFrom'>;

/** The queue, and the drivers that run its jobs. */
export interface Queue {
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly hasher: Hasher;
  readonly minPartBytes: number;
  /** Completes, resumes and aborts multipart uploads. */
  readonly uploadDriver: UploadDriver;
  /** Uploads, downloads, copies, moves, deletions and changes. */
  readonly transferDriver: TransferDriver;
  /** Returns the id of the job that processes or will process the upload with this lock key; null if there is none. */
  readonly holderOf: (lockKey: string) => string | null;
  /** Resumes the jobs of the last run. */
  start(): void;
  close(): Promise<void>;
}

const usualPieceBytes = 16 * 1024 * 1024;

/** Creates the queue on a database, with a driver for each kind of job. */
export function createQueue(deps: QueueDeps): Queue {
  const { clock, random, logger, clientOf, limits } = deps;
  const minPartBytes = deps.minPartBytes ?? smallestPartOfS3;
  const store = new JobStore(deps.database, deps.storeHooks);
  const hasher = deps.hasher ?? createHashPool({ clock, disk: deps.diskSync });
  // Drivers read the settings only while a job runs; the engine exists by then.
  const settings = (): JobEngine['settings'] => jobs.settings;
  const uploadDriver = new UploadDriver({ store, clock, random, hasher, clientOf, settings, minPartBytes });
  const lockHolders = new Map<string, string>();
  const walks = deps.walks ?? (() => listedWalks(clientOf));
  const transferDeps: TransferDeps = {
    store,
    clock,
    random,
    hasher,
    uploads: uploadDriver,
    clientOf,
    settings,
    minPartBytes,
    files: deps.files ?? localFiles,
    pieceBytes: deps.pieceBytes ?? usualPieceBytes,
    lockOwners: lockHolders,
    onKeysChanged: (changed) => deps.onKeysChanged?.(changed),
    walks: {
      pages: (place, signal, onProgress) => walks().pages(place, signal, onProgress),
      results: (walkId) => walks().results(walkId),
    },
    folderSyncs: new FolderSyncs(),
    trash: deps.trash ?? null,
    home: realPathOf(deps.home ?? os.homedir()),
  };
  const transferDriver = new TransferDriver(transferDeps, {
    upload: uploadStrategy(transferDeps, syncUp),
    download: downloadStrategy(transferDeps, syncDown),
    ...operationStrategies({
      ...transferDeps,
      largestCopyBytes: limits?.largestCopyBytes ?? largestCopyBytes,
      partsFromBytes: limits?.partsFromBytes ?? usualPartBytes,
      partSizeBytes: () => deps.partSizeBytes?.() ?? null,
      togetherFrom: limits?.togetherFrom ?? togetherFrom,
      claimUpload: (ref, jobId, others) => claimUpload(ref, jobId, others),
      removeBucket:
        deps.removeBucket ??
        (async ({ connectionId, bucket }) => {
          await (await clientOf(connectionId)).deleteBucket({ bucket });
        }),
    }),
  });
  const batchDriver = new BatchDriver({
    clientOf,
    bandwidth: createLimiter(clock, () => settings().bandwidthBytesPerSecond),
  });
  const jobs = new JobEngine({
    store,
    drivers: [uploadDriver, transferDriver, batchDriver],
    clock,
    random,
    logger,
    ...(deps.onSettled === undefined ? {} : { onSettled: deps.onSettled }),
    ...(deps.onGone === undefined ? {} : { onGone: deps.onGone }),
  });
  const claimUpload = uploadClaimer({ jobs, items: transferDriver.items, lockHolders, clock });
  return {
    jobs,
    store,
    hasher,
    minPartBytes,
    uploadDriver,
    transferDriver,
    holderOf: (lockKey) => lockHolders.get(lockKey) ?? transferDriver.items.holderOf(lockKey, null),
    start: () => {
      jobs.start();
    },
    close: async () => {
      await jobs.stop();
      if (deps.hasher === undefined) await hasher.close();
    },
  };
}

/** Returns the real path, or the path itself if the folder does not exist, as the home folder of some accounts. */
function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
