import type { SyncDirection } from '../../../shared/models/sync.ts';
import type { UploadOptions } from '../../../shared/models/transfers.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ItemStore } from '../transfers/items/item-store.ts';
import {
  downloadTransfer,
  noCounts,
  operationTransfer,
  uploadTransfer,
  type NewTransfer,
  type TransferJob,
} from '../transfers/items/transfer-job.ts';
import {
  newDeletionItem,
  newDownloadItem,
  newUploadItem,
  type Item,
  itemOfWork,
} from '../transfers/items/transfer-item.ts';
import { localPathOf } from './gather.ts';
import type { PlannedRow, PlanTable } from './plan-table.ts';
import { removalFold, removeObstacles, removeLocal } from './remove-local.ts';
import { batchKeys, deleterOf } from '../operations/deletions/deleter.ts';
import { always } from '../flow/limits.ts';
import type { PassWork } from '../transfers/transfer-strategies.ts';
import { removePlanned } from '../operations/deletions/delete.ts';

export interface RunDeps {
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly items: ItemStore;
}

export interface Run {
  readonly seed: NewTransfer;
  readonly direction: SyncDirection;
  /** The real path of the local folder. */
  readonly folder: string;
  readonly table: PlanTable;
  readonly withDeletions: boolean;
  readonly options: UploadOptions;
}

const batchSize = 500;

/**
 * Stores the rows of a plan as items of a job and starts it. Stores the job last, so that after a crash in between nothing runs.
 * Returns null if there is nothing to do.
 */
export async function submitPlan(deps: RunDeps, run: Run): Promise<string | null> {
  const { seed, table } = run;
  const counts = { ...noCounts };
  let copies = 0;
  const work = [...(['copy', 'overwrite'] as const), ...(run.withDeletions ? (['delete'] as const) : [])];
  for (const action of work) {
    for (let offset = 0; ; offset += batchSize) {
      const { rows } = table.read(action, offset, batchSize);
      if (rows.length === 0) break;
      const selectedRows = rows.filter((row) => run.withDeletions || row.reason !== 'needs-deletion');
      deps.store.transaction(() => {
        for (const row of selectedRows) {
          const isRemoval = row.action === 'delete';
          const state = isRemoval && copies > 0 ? 'held' : 'todo';
          const item = itemOf(run, row, counts.total, state, copies);
          const fold = isRemoval && run.direction === 'down' ? removalFold(row.localName) : null;
          deps.items.put(seed.id, item, fold);
          counts.total += 1;
          counts.bytesTotal += item.sizeBytes ?? 0;
          if (!isRemoval) copies += 1;
        }
      });
      // Lets other work run, so that the window stays responsive while many rows are stored.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  if (counts.total === 0) return null;
  const left = { unchanged: table.read('same', 0, 0).total, skipped: table.read('skipped', 0, 0).total };
  const job: TransferJob = { ...jobOf(run, copies), isSync: true, left, prepared: true, counts };
  deps.jobs.submit(job);
  return seed.id;
}

function jobOf({ seed, direction, folder, options }: Run, copies: number): TransferJob {
  const prefixItem = { kind: 'prefix', prefix: seed.prefix } as const;
  if (direction === 'down') return downloadTransfer(seed, [prefixItem], folder, 'ask');
  if (copies > 0)
    return uploadTransfer(seed, [{ path: folder, real: folder }], { ...options, onConflict: 'ask' });
  const operation = { items: [prefixItem], to: null, versions: 'markers' as const, patch: null };
  return operationTransfer('delete', seed, operation, 'ask');
}

/** Creates the item for a row. `copies` is the number of preceding items that are not deletions; these come first. */
function itemOf(run: Run, row: PlannedRow, seq: number, state: Item['state'], copies: number): Item {
  const { direction, folder, seed } = run;
  const isUp = direction === 'up';
  const isRemoval = row.action === 'delete';
  const source = isUp ? row.local : row.remote;
  const side = isUp ? row.remote : row.local;
  const target =
    side === null
      ? null
      : { sizeBytes: side.sizeBytes, modifiedAt: side.modifiedAt, etag: isUp ? row.etag : null };
  const known = {
    seq,
    state,
    key: seed.prefix + row.key,
    kind: row.kind,
    // A deletion transfers no bytes.
    sizeBytes: isRemoval ? null : (source?.sizeBytes ?? null),
    etag: isUp ? null : row.etag,
    modifiedAt: source?.modifiedAt ?? null,
    note: !isUp && !isRemoval && row.localName !== row.key.replace(/\/$/, '') ? 'escaped' : null,
    sync: {
      action: isRemoval ? 'remove' : row.action === 'overwrite' ? 'overwrite' : 'copy',
      target,
      keep: row.keep,
      isBlocked: row.reason === 'needs-deletion',
    },
  } satisfies Partial<Item>;
  if (!isUp) return newDownloadItem({ ...known, localName: row.localName });
  if (isRemoval && copies === 0) return newDeletionItem(known);
  return newUploadItem({
    ...known,
    path: localPathOf(folder, row.localName),
    root: 0,
    ...(row.leaves ? { leaves: true } : {}),
  });
}

/** Adapts the processing of items to a synchronization to the bucket: uploads first, then deletions if all uploads succeeded. */
export function syncUp(job: TransferJob, pass: PassWork): PassWork {
  const requestErrors = new WeakSet();
  const deleter = deleterOf(requestErrors);
  let isRemoving = false;
  return {
    ...pass,
    isLarge: largeToCopy(pass),
    affectsAllItems: (thrown) => typeof thrown === 'object' && thrown !== null && requestErrors.has(thrown),
    // Deletions wait for a shared request and use no connection, so many may run at once.
    get parallel() {
      return isRemoving ? always(batchKeys) : pass.parallel;
    },
    work: async (context, item) =>
      item.sync?.action === 'remove'
        ? await removePlanned(deleter, context, item)
        : await pass.work(context, item),
    release: (items) => {
      isRemoving = releaseDeletions(items, job.id);
      return isRemoving;
    },
  };
}

/** Adapts the processing of items to a synchronization to this computer, whose deletions remove local files. */
export function syncDown(job: TransferJob, pass: PassWork): PassWork {
  return {
    ...pass,
    isLarge: largeToCopy(pass),
    work: async (context, item) => {
      if (item.sync?.action === 'remove') return await removeLocal(context, itemOfWork(item, 'download'));
      if (item.sync?.isBlocked === true) await removeObstacles(context, itemOfWork(item, 'download'));
      return await pass.work(context, item);
    },
    release: (items) => releaseDeletions(items, job.id),
  };
}

/** Returns the test for large items. Deletions always count as small, because each is one short request. */
function largeToCopy(pass: PassWork): PassWork['isLarge'] {
  return (item) => item.sync?.action !== 'remove' && pass.isLarge(item);
}

/** Makes the deletions due, unless a copy failed or waits for the user's decision. */
function releaseDeletions(items: ItemStore, jobId: string): boolean {
  if (items.countOf(jobId, 'failed') > 0 || items.countOf(jobId, 'asking') > 0) return false;
  return items.release(jobId) > 0;
}
