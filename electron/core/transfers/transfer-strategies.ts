import path from 'node:path';
import { atLeast } from '../flow/limits.ts';
import type { EffectContext } from '../jobs/job.ts';
import { smallBytes } from './downloads/download-whole.ts';
import { downloadItem } from './downloads/download-item.ts';
import { throwLocalFileFailure } from '../disk/disk-failure.ts';
import type { ItemContext, TransferDeps, Deferred } from './items/item-context.ts';
import type { ItemStore } from './items/item-store.ts';
import { prepareDownload, prepareUpload } from './list-items.ts';
import type { ListGate } from './items/due-items.ts';
import type { PassRules } from './pass.ts';
import type { TransferJob, TransferKind } from './items/transfer-job.ts';
import { itemOfWork, type Item, type UploadItem } from './items/transfer-item.ts';
import type { TransferEvent } from './items/transfer-transition.ts';
import { uploadItem } from './uploads/upload-item.ts';

/** The steps that differ between kinds of transfers. Runs, waits, conflicts and retries are common to all. */
export interface Strategy {
  /** Stores the items of a job before any of them is processed. Items that `gate` reports may be processed at once. */
  prepare(
    items: ItemStore,
    job: TransferJob,
    context: EffectContext<TransferEvent>,
    gate: ListGate,
  ): Promise<TransferEvent>;
  /** True if the first items are processed while the remaining ones are still listed. */
  readonly beginsWhileListing?: boolean;
  /** Prepares one run over the items of the job. */
  begin(job: TransferJob, signal: AbortSignal): Promise<PassWork>;
  /** Removes the partial results of a cancelled job. May be called again after a crash. */
  undo?(context: ItemContext, effect: EffectContext<TransferEvent>): Promise<void>;
}

export interface PassWork extends PassRules {
  /** Processes an item. Returns its new state, which the caller stores, or a deferred last step. */
  readonly work: (context: ItemContext, item: Item) => Promise<Item | Deferred>;
  /** Called when no item is due. Returns true if it made waiting items due. */
  readonly release?: (items: ItemStore) => boolean;
  /**
   * The last step of a job, after every item is done or skipped. May run again after a crash. `report` stores an item that this
   * step gave a note or an error.
   */
  readonly finish?: (context: ItemContext, report: (item: Item) => void) => Promise<void>;
}

export type Strategies = Readonly<Record<TransferKind, Strategy>>;
export type OperationStrategies = Omit<Strategies, 'upload' | 'download'>;

/** Adapts the processing of a job's items to a synchronization. */
export type SyncPass = (job: TransferJob, pass: PassWork) => PassWork;

/** The number of whole files transferred in parallel. */
export const filesAtOnce = 8;
/**
 * The number of objects downloaded in parallel if they are held in memory. Nearly all of the time for a 4 KiB object is latency,
 * even with a local service.
 */
export const smallDownloadsAtOnce = 32;

export function uploadStrategy(deps: TransferDeps, ofSync: SyncPass): Strategy {
  return {
    prepare: async (items, job, context) => await prepareUpload(items, job, context),
    begin: async (job) => {
      const client = await deps.clientOf(job.connectionId);
      const fromBytes = job.upload?.multipartFromBytes ?? 2 ** 24;
      const pass: PassWork = {
        parallel: client.pace,
        isLarge: (item) => itemOfWork(item, 'upload').upload !== null || (item.sizeBytes ?? 0) >= fromBytes,
        work: async (context, item) => await uploadInTurn(context, itemOfWork(item, 'upload')),
      };
      return await Promise.resolve(job.isSync ? ofSync(job, pass) : pass);
    },
  };
}

/** Uploads an item. Files of medium size that are held in memory wait for a slot; very small ones do not. */
async function uploadInTurn(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  const sizeBytes = item.sizeBytes ?? Number.POSITIVE_INFINITY;
  if (sizeBytes <= smallBytes || item.upload !== null) return await uploadItem(context, item);
  return await context.fileScheduler.run(
    item.seq,
    context.signal,
    async () => await uploadItem(context, item),
  );
}

function folderPathOf(job: TransferJob, localName: string): string {
  return path.join(job.folder ?? '', ...localName.split('/'));
}

export function downloadStrategy(deps: TransferDeps, ofSync: SyncPass): Strategy {
  return {
    beginsWhileListing: true,
    prepare: async (items, job, context, gate) =>
      await prepareDownload(deps, items, await deps.clientOf(job.connectionId), job, context, gate),
    begin: async (job) => {
      const client = await deps.clientOf(job.connectionId);
      const pass: PassWork = {
        parallel: atLeast(smallDownloadsAtOnce, client.pace),
        isLarge: (item) =>
          itemOfWork(item, 'download').pieces !== null || (item.sizeBytes ?? 0) > deps.pieceBytes,
        work: async (context, item) => await downloadItem(context, itemOfWork(item, 'download')),
        // Flushes each folder of a batch to disk once. Flushing it for each file would delay the next file.
        makeSafe: async (items) => {
          // A folder may be gone after a synchronization removed its last file, so removed files are left out.
          const files = items.filter(
            ({ state, kind, sync }) => state === 'done' && kind === 'file' && sync?.action !== 'remove',
          );
          const folders = new Set(
            files.map((item) => {
              const { localName } = itemOfWork(item, 'download');
              return localName.slice(0, Math.max(0, localName.lastIndexOf('/')));
            }),
          );
          await Promise.all(
            [...folders].map(async (folder) => await deps.folderSyncs.sync(folderPathOf(job, folder))),
          ).catch(throwLocalFileFailure);
        },
      };
      return await Promise.resolve(job.isSync ? ofSync(job, pass) : pass);
    },
  };
}
