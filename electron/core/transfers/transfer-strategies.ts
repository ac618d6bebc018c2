import path from 'node:path';
import { atLeast, type AtOnce } from '../flow/slots.ts';
import type { EffectContext } from '../jobs/job.ts';
import { smallBytes } from './downloads/download-whole.ts';
import { downloadItem } from './downloads/download-item.ts';
import {
  localFileFailure,
  type ItemContext,
  type TransferDeps,
  type Deferred,
} from './items/item-context.ts';
import type { ItemStore } from './items/item-store.ts';
import { prepareDownload, prepareUpload } from './list-items.ts';
import type { ListGate } from './items/list-gate.ts';
import type { TransferJob, TransferKind } from './items/transfer-job.ts';
import { itemOfWork, type Item, type UploadItem } from './items/transfer-item.ts';
import type { TransferEvent } from './items/transfer-transition.ts';
import { uploadItem } from './uploads/upload-item.ts';

/** The parts that differ between kinds of transfers; passes, waits, conflicts and retries are common. */
export interface Strategy {
  /** Persists the items before any is processed. Items that the gate lets through may start at once. */
  prepare(
    items: ItemStore,
    job: TransferJob,
    context: EffectContext<TransferEvent>,
    gate: ListGate,
  ): Promise<TransferEvent>;
  /** Work on the first items starts while the rest is listed. */
  readonly beginsWhileListing?: boolean;
  /** Prepares one run of the job. */
  begin(job: TransferJob, signal: AbortSignal): Promise<PassWork>;
  /** Removes the partial results of a cancelled job. Idempotent: it may run again after a crash. */
  undo?(context: ItemContext, effect: EffectContext<TransferEvent>): Promise<void>;
}

export interface PassWork {
  /** Small items at a time. Large ones share the job's slots in addition. */
  readonly parallel: AtOnce;
  readonly isLarge: (item: Item) => boolean;
  /** Returns the item's new state, which is not stored yet. */
  readonly work: (context: ItemContext, item: Item) => Promise<Item | Deferred>;
  /** Makes these items durable before they count as settled. */
  readonly makeSafe?: (items: readonly Item[]) => Promise<void>;
  /** Returns true if a failure affects every item. */
  readonly isOfAll?: (thrown: unknown) => boolean;
  /** Called when no item is left. Returns true if it released waiting items. */
  readonly release?: (items: ItemStore) => boolean;
  /**
   * The final step once every item is done or skipped; repeated after a crash. `report` stores an item with a note, or
   * one that failed after all.
   */
  readonly finish?: (context: ItemContext, report: (item: Item) => void) => Promise<void>;
}

export type Strategies = Readonly<Record<TransferKind, Strategy>>;
export type OperationStrategies = Omit<Strategies, 'upload' | 'download'>;

/** Adapts a pass to a sync. */
export type SyncPass = (job: TransferJob, pass: PassWork) => PassWork;

/** Concurrent transfers of whole files. */
export const filesAtOnce = 8;
/**
 * Concurrent downloads of objects held in memory. For an object of 4 KiB nearly all time is latency, even with a local
 * service.
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

/** Uploads an item. A file held in memory waits for a slot unless it is very small. */
async function uploadInTurn(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  const sizeBytes = item.sizeBytes ?? Number.POSITIVE_INFINITY;
  if (sizeBytes <= smallBytes || item.upload !== null) return await uploadItem(context, item);
  return await context.fileTurns.run(item.seq, context.signal, async () => await uploadItem(context, item));
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
        // Syncs the folders of a batch once each: a sync per file would delay the next.
        makeSafe: async (items) => {
          // A file that a sync removed may have been the last in its folder, which is then gone too.
          const files = items.filter(
            ({ state, kind, sync }) => state === 'done' && kind === 'file' && sync?.action !== 'remove',
          );
          const folders = new Set(
            files.map((item) => {
              const { localName } = itemOfWork(item, 'download');
              return localName.slice(0, Math.max(0, localName.lastIndexOf('/')));
            }),
          );
          try {
            await Promise.all(
              [...folders].map(async (folder) => await deps.folderSyncs.sync(folderPathOf(job, folder))),
            );
          } catch (thrown) {
            throw localFileFailure(thrown);
          }
        },
      };
      return await Promise.resolve(job.isSync ? ofSync(job, pass) : pass);
    },
  };
}
