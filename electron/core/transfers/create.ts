import { realpathSync } from 'node:fs';
import os from 'node:os';
import type { Clock, Random } from '../ports.ts';
import type { JobStore } from '../jobs/store.ts';
import type { S3Client } from '../s3/types.ts';
import type { KeyWalks } from '../walks/chosen-keys.ts';
import { listedWalks } from '../walks/listed-walks.ts';
import { largestCopyBytes, togetherFrom, type OperationDeps } from '../operations/operation-deps.ts';
import { operationStrategies } from '../operations/strategies.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import type { JobFamily, QueueBase } from '../stalled/uploads.ts';
import { failure } from '../../../shared/errors.ts';
import { TransferDriver } from './driver.ts';
import { FolderSyncs } from '../disk/folder-syncs.ts';
import type { TransferDeps } from './item-context.ts';
import { localFiles, type LocalFiles } from '../disk/local-files.ts';
import { usualPartBytes } from './part-size.ts';
import { Transfers, type TransfersDeps } from './transfers.ts';

export interface FamilyDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly pieceBytes?: number;
  readonly files?: LocalFiles;
  /** Where the keys of whole prefixes come from; asked for when a job begins. */
  readonly walks?: () => KeyWalks;
  readonly limits?: Partial<CopyLimits>;
  /** The size of parts that the person has set; absent: the usual one. */
  readonly partSizeBytes?: () => number;
  readonly trash?: (filePath: string) => Promise<void>;
  /** Absent: that of the account. */
  readonly home?: string;
  /** Absent: by the one request. */
  readonly removeBucket?: OperationDeps['removeBucket'];
}

/** Sizes from which copies go in parts, and how many make many; tests take less. */
export type CopyLimits = Pick<OperationDeps, 'largestCopyBytes' | 'partsFromBytes' | 'togetherFrom'>;

export interface TransferFamily {
  readonly make: (base: QueueBase) => JobFamily;
  /** What `make` has made. */
  parts(): { readonly driver: TransferDriver; readonly store: JobStore; readonly hasher: Hasher };
}

const usualPieceBytes = 16 * 1024 * 1024;

/** Transfers as a family of jobs of the queue that finishes uploads. */
export function transferFamily(deps: FamilyDeps): TransferFamily {
  let made: { driver: TransferDriver; store: JobStore; hasher: Hasher } | null = null;
  return {
    make: (base) => {
      const held = new Map<string, string>();
      const walks = deps.walks ?? (() => listedWalks(deps.clientOf));
      const transferDeps: TransferDeps = {
        ...base,
        clock: deps.clock,
        random: deps.random,
        clientOf: deps.clientOf,
        files: deps.files ?? localFiles,
        pieceBytes: deps.pieceBytes ?? usualPieceBytes,
        held,
        walks: {
          pages: (place, signal) => walks().pages(place, signal),
          results: (walkId) => walks().results(walkId),
        },
        folderSyncs: new FolderSyncs(),
        trash: deps.trash ?? null,
        home: realPathOf(deps.home ?? os.homedir()),
      };
      const driver = new TransferDriver(
        transferDeps,
        operationStrategies({
          ...transferDeps,
          largestCopyBytes: deps.limits?.largestCopyBytes ?? largestCopyBytes,
          partsFromBytes: deps.limits?.partsFromBytes ?? usualPartBytes,
          partSizeBytes: () => deps.partSizeBytes?.() ?? null,
          togetherFrom: deps.limits?.togetherFrom ?? togetherFrom,
          removeBucket:
            deps.removeBucket ??
            (async ({ connectionId, bucket }) => {
              await (await deps.clientOf(connectionId)).deleteBucket({ bucket });
            }),
        }),
      );
      made = { driver, store: base.store, hasher: base.hasher };
      return { driver, holderOf: (lockKey) => held.get(lockKey) ?? null };
    },
    parts: () => {
      if (made === null) throw failure('internal', 'The queue was not made yet.');
      return made;
    },
  };
}

export function createTransfers(
  family: TransferFamily,
  deps: Omit<TransfersDeps, 'store' | 'driver'>,
): Transfers {
  return new Transfers({ ...deps, ...family.parts() });
}

/** An account may have a home that is not there; then nothing lands in it. */
function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
