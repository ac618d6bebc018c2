import path from 'node:path';
import type { EffectContext } from '../jobs/types.ts';
import { downloadItem } from './downloads/download-item.ts';
import { localFailure, type ItemContext, type TransferDeps, type Deferred } from './items/item-context.ts';
import type { ItemStore } from './items/item-store.ts';
import { prepareDownload, prepareUpload } from './prepare.ts';
import type { ListGate } from './items/list-gate.ts';
import type { Item, TransferJob, TransferKind } from './items/transfer-job.ts';
import type { TransferEvent } from './items/transition.ts';
import { uploadItem } from './uploads/upload-item.ts';

/** What sets one kind of transfer apart from another; all else (passes, waits, conflicts, retries) they share. */
export interface Strategy {
  /** Writes the items down, before anything is done with them; those that the gate lets through may begin at once. */
  prepare(
    items: ItemStore,
    job: TransferJob,
    context: EffectContext<TransferEvent>,
    gate: ListGate,
  ): Promise<TransferEvent>;
  /** What is found first is worked on while the rest is listed. */
  readonly beginsWhileListing?: boolean;
  /** For one run of the job. */
  begin(job: TransferJob, signal: AbortSignal): Promise<PassWork>;
  /** Takes back what a cancelled job has begun. It may be called again after a crash. */
  undo?(context: ItemContext, effect: EffectContext<TransferEvent>): Promise<void>;
}

export interface PassWork {
  /** Small items at a time; large ones share the job's turns beside them. */
  readonly parallel: number;
  readonly isLarge: (item: Item) => boolean;
  /** What comes back is what became of the item; it is not written yet. */
  readonly work: (context: ItemContext, item: Item) => Promise<Item | Deferred>;
  /** What has to be on disk before these items count as settled. */
  readonly makeSafe?: (items: readonly Item[]) => Promise<void>;
  /** A failure that no other item would be spared. */
  readonly isOfAll?: (thrown: unknown) => boolean;
  /** Nothing is left to do: whether something was waiting for that, and is to do now. */
  readonly release?: (items: ItemStore) => boolean;
  /** What is left to do once every item is done or skipped; called again after a crash. `note` stores an item with a note. */
  readonly finish?: (context: ItemContext, note: (item: Item) => void) => Promise<void>;
}

export type Strategies = Readonly<Record<TransferKind, Strategy>>;
export type OperationStrategies = Omit<Strategies, 'upload' | 'download'>;

/** What a sync makes of a pass over its files. */
export type SyncPass = (job: TransferJob, pass: PassWork) => PassWork;

/** Requests with whole files. */
export const filesAtOnce = 8;
/**
 * Requests with objects that are held in memory: of one of 4 KiB nearly all is waiting, for the network as for a service on
 * this computer, which has nothing to do whenever this many answers are being worked on.
 */
export const smallDownloadsAtOnce = 32;

export function uploadStrategy(ofSync: SyncPass): Strategy {
  return {
    prepare: async (items, job, context) => await prepareUpload(items, job, context),
    begin: async (job) => {
      const fromBytes = job.upload?.multipartFromBytes ?? 2 ** 24;
      const pass: PassWork = {
        parallel: filesAtOnce,
        isLarge: (item) => item.upload !== null || (item.sizeBytes ?? 0) >= fromBytes,
        work: uploadItem,
      };
      return await Promise.resolve(job.isSync ? ofSync(job, pass) : pass);
    },
  };
}

function folderPathOf(job: TransferJob, local: string): string {
  return path.join(job.folder ?? '', ...local.split('/'));
}

export function downloadStrategy(deps: TransferDeps, ofSync: SyncPass): Strategy {
  return {
    beginsWhileListing: true,
    prepare: async (items, job, context, gate) =>
      await prepareDownload(deps, items, await deps.clientOf(job.connectionId), job, context, gate),
    begin: async (job) => {
      const pass: PassWork = {
        parallel: smallDownloadsAtOnce,
        isLarge: (item) => item.pieces !== null || (item.sizeBytes ?? 0) > deps.pieceBytes,
        work: downloadItem,
        // The new names of a batch, folder by folder: a sync for each file would hold up the next.
        makeSafe: async (items) => {
          // What a sync has removed may have been the last in its folder, which is gone too.
          const files = items.filter(
            ({ state, kind, sync }) => state === 'done' && kind === 'file' && sync?.action !== 'remove',
          );
          const folders = new Set(
            files.map(({ local }) => local.slice(0, Math.max(0, local.lastIndexOf('/')))),
          );
          try {
            await Promise.all(
              [...folders].map(async (local) => await deps.folderSyncs.sync(folderPathOf(job, local))),
            );
          } catch (thrown) {
            throw localFailure(thrown);
          }
        },
      };
      return await Promise.resolve(job.isSync ? ofSync(job, pass) : pass);
    },
  };
}
