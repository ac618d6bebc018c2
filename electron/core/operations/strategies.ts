import type { ItemContext } from '../transfers/item-context.ts';
import type { OperationStrategies, PassWork, Strategy } from '../transfers/strategies.ts';
import type { Item, TransferJob } from '../transfers/transfer-job.ts';
import type { S3Client } from '../s3/types.ts';
import { changeItem } from './change-item.ts';
import type { Absent, CopyContext } from './copy-context.ts';
import { copyItem } from './copy-item.ts';
import { deleteStrategy } from './delete.ts';
import { chosenKeys } from './key-source.ts';
import { removeSource } from './move-item.ts';
import type { OperationDeps } from './operation-deps.ts';
import { operationOf, prepareItems } from './prepare.ts';
import { undoCopies } from './undo.ts';

/** Requests are small where the service copies by itself: more of them may be under way. */
const copiesAtOnce = 16;
const relaysAtOnce = 8;

/** What operations on the service do, each as a kind of transfer. */
export function operationStrategies(deps: OperationDeps): OperationStrategies {
  return {
    copy: copyStrategy(deps, copyItem),
    move: {
      ...copyStrategy(deps, moveItem),
      // Nothing is deleted before all is copied and nothing waits for a decision: until then a cancel undoes everything.
      begin: async (job) => ({
        ...(await beginCopies(deps, job, moveItem)),
        release: (items) => items.countOf(job.id, 'asking') === 0 && items.release(job.id) > 0,
      }),
    },
    delete: deleteStrategy(deps),
    change: {
      prepare: async (items, job, context) =>
        await prepareItems(
          items,
          job,
          context,
          chosenKeys(deps.walks, job, operationOf(job).items, context.signal),
        ),
      begin: async (job) => await beginCopies(deps, job, changeItem),
    },
  };
}

type Work = (context: CopyContext, item: Item) => Promise<Item>;

async function moveItem(context: CopyContext, item: Item): Promise<Item> {
  const isCopied = item.copy !== null && item.copy.stage !== 'copying';
  return isCopied ? await removeSource(context, item) : await copyItem(context, item);
}

function copyStrategy(deps: OperationDeps, work: Work): Strategy {
  return {
    prepare: async (items, job, context) =>
      await prepareItems(
        items,
        job,
        context,
        chosenKeys(deps.walks, job, operationOf(job).items, context.signal),
      ),
    begin: async (job) => await beginCopies(deps, job, work),
    undo: async (context, effect) => {
      const target = await targetOf(deps, context.job);
      await undoCopies(contextOf(deps, context, target, nothingAbsent()), effect);
    },
  };
}

async function beginCopies(deps: OperationDeps, job: TransferJob, work: Work): Promise<PassWork> {
  const target = await targetOf(deps, job);
  const absent = nothingAbsent();
  const isRelay = placeOf(job).connectionId !== job.connectionId;
  const largeBytes = isRelay ? deps.partsFromBytes : deps.largestCopyBytes + 1;
  return {
    parallel: isRelay ? relaysAtOnce : copiesAtOnce,
    isLarge: (item) => (item.copy?.parts ?? null) !== null || (item.sizeBytes ?? 0) >= largeBytes,
    work: async (context, item) => await work(contextOf(deps, context, target, absent), item),
  };
}

function placeOf(job: TransferJob): { readonly connectionId: string; readonly bucket: string } {
  return operationOf(job).to ?? { connectionId: job.connectionId, bucket: job.bucket };
}

async function targetOf(deps: OperationDeps, job: TransferJob): Promise<S3Client> {
  return await deps.clientOf(placeOf(job).connectionId);
}

function nothingAbsent(): Absent {
  return { conditions: false, conditionalDelete: false, tags: false };
}

function contextOf(
  operations: OperationDeps,
  context: ItemContext,
  target: S3Client,
  absent: Absent,
): CopyContext {
  const to = placeOf(context.job);
  return {
    ...context,
    operations,
    target,
    to,
    isRelay: to.connectionId !== context.job.connectionId,
    absent,
  };
}
