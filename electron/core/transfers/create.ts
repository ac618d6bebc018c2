import type { Clock, Random } from '../ports.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { JobStore } from '../jobs/store.ts';
import type { S3Client } from '../s3/types.ts';
import type { JobFamily, QueueBase } from '../uploads/uploads.ts';
import { failure } from '../../../shared/errors.ts';
import { TransferDriver } from './driver.ts';
import { localFiles, type LocalFiles } from './local-files.ts';
import { Transfers } from './transfers.ts';

export interface FamilyDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly pieceBytes?: number;
  readonly files?: LocalFiles;
}

export interface TransferFamily {
  readonly make: (base: QueueBase) => JobFamily;
  /** What `make` has made. */
  parts(): { readonly driver: TransferDriver; readonly store: JobStore };
}

const usualPieceBytes = 8 * 1024 * 1024;

/** Transfers as a family of jobs of the queue that finishes uploads. */
export function transferFamily(deps: FamilyDeps): TransferFamily {
  let made: { driver: TransferDriver; store: JobStore } | null = null;
  return {
    make: (base) => {
      const held = new Map<string, string>();
      const driver = new TransferDriver({
        ...base,
        clock: deps.clock,
        random: deps.random,
        clientOf: deps.clientOf,
        files: deps.files ?? localFiles,
        pieceBytes: deps.pieceBytes ?? usualPieceBytes,
        held,
      });
      made = { driver, store: base.store };
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
  deps: {
    readonly jobs: JobEngine;
    readonly clock: Clock;
    readonly random: Random;
    readonly pathOf: (handle: string) => string;
  },
): Transfers {
  return new Transfers({ ...deps, ...family.parts() });
}
