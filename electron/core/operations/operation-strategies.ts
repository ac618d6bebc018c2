import { foreignAttempt } from '../jobs/log-request.ts';
import type { ItemContext } from '../transfers/items/item-context.ts';
import type { OperationStrategies, PassWork, Strategy } from '../transfers/transfer-strategies.ts';
import type { TransferJob } from '../transfers/items/transfer-job.ts';
import { itemOfWork, type CopyItem } from '../transfers/items/transfer-item.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { changeItem } from './changes/change-item.ts';
import { resumeStrategy, abortStrategy, completeStrategy } from './stalled-uploads/stalled-strategies.ts';
import type { CopyContext, SharedWork } from './copies/copy-context.ts';
import type { Absent, OperationDeps } from './objects/operation-deps.ts';
import { copyItem, startAgain } from './copies/copy-item.ts';
import { deleteStrategy } from './deletions/delete.ts';
import { chosenKeys } from '../walks/chosen-keys.ts';
import { removeSource } from './copies/move-item.ts';
import { operationOf, prepareItems } from './objects/list-operation-items.ts';
import { always, atLeast, slots } from '../flow/limits.ts';
import { isUndo, prepareUndo } from './objects/prepare-undo.ts';
import { checkDeleted } from './deletions/still-listed.ts';
import { undoCopies } from './copies/undo.ts';
import { GroupCommit } from '../flow/coalescer.ts';
import { ListedLooks } from './objects/listed-looks.ts';
import { removalsOf, type RemovalDeps } from './copies/remove-sources.ts';

/** Copy requests carry no content of objects, so more of them may be in flight than uploads. */
const copiesAtOnce = 48;
const relaysAtOnce = 8;
/** The number of items that may wait for a shared deletion: as many as one request can delete. */
const removalsAtOnce = 1000;

/** Returns how each kind of job that changes the service prepares and processes its items. */
export function operationStrategies(deps: OperationDeps): OperationStrategies {
  return {
    copy: copyStrategy(deps, async (job) => await beginCopies(deps, job)),
    move: copyStrategy(deps, async (job) => await beginMove(deps, job)),
    delete: deleteStrategy(deps),
    'abort-many': abortStrategy(deps),
    'complete-many': completeStrategy(deps),
    'resume-many': resumeStrategy(deps),
    change: {
      prepare: prepareChosen(deps),
      begin: async (job) => {
        const target = await targetOf(deps, job);
        const absent = nothingAbsent();
        return {
          parallel: target.pace,
          isLarge: isLargeFrom(deps.largestCopyBytes + 1),
          work: async (context, item) =>
            await changeItem(
              { ...contextOf(deps, context, target, absent), shared: null },
              itemOfWork(item, 'copy'),
            ),
        };
      },
    },
  };
}

function copyStrategy(deps: OperationDeps, begin: Strategy['begin']): Strategy {
  return {
    prepare: prepareChosen(deps),
    begin,
    undo: async (context, effect) => {
      const target = await targetOf(deps, context.job);
      await undoCopies({ ...contextOf(deps, context, target, nothingAbsent()), shared: null }, effect);
    },
  };
}

function prepareChosen(deps: OperationDeps): Strategy['prepare'] {
  return async (items, job, context) => {
    if (isUndo(job)) return prepareUndo(items, job, context);
    return await prepareItems(
      items,
      job,
      context,
      chosenKeys(deps.walks, job, operationOf(job).items, context.signal, (prefix, foreign) =>
        context.log(foreignAttempt(prefix, foreign)),
      ),
    );
  };
}

interface Copies extends PassWork {
  readonly contextFor: (context: ItemContext) => CopyContext;
}

async function beginCopies(deps: OperationDeps, job: TransferJob): Promise<Copies> {
  const target = await targetOf(deps, job);
  const absent = nothingAbsent();
  const isRelay = placeOf(job).connectionId !== job.connectionId;
  const isShared = job.counts.total >= deps.togetherFrom;
  const requestErrors = new WeakSet<object>();
  /** The work shared by the items of one run, whose signal aborts its requests. */
  let ofPass: { readonly signal: AbortSignal; readonly shared: SharedWork } | null = null;
  const contextFor = (context: ItemContext): CopyContext => {
    const copyContext = contextOf(deps, context, target, absent);
    if (!isShared) return { ...copyContext, shared: null };
    if (ofPass === null || ofPass.signal !== context.signal)
      ofPass = { signal: context.signal, shared: sharedWorkOf(copyContext, { requestErrors }) };
    return { ...copyContext, shared: ofPass.shared };
  };
  return {
    parallel: isRelay ? always(relaysAtOnce) : atLeast(copiesAtOnce, target.pace),
    isLarge: isLargeFrom(isRelay ? deps.partsFromBytes : deps.largestCopyBytes + 1),
    affectsAllItems: (thrown) => typeof thrown === 'object' && thrown !== null && requestErrors.has(thrown),
    contextFor,
    work: async (context, item) => await copyItem(contextFor(context), itemOfWork(item, 'copy')),
  };
}

/**
 * Prepares a move. Sources are deleted only after all objects are copied and all conflicts are decided, so a cancel before that
 * can undo everything.
 */
async function beginMove(deps: OperationDeps, job: TransferJob): Promise<PassWork> {
  const copies = await beginCopies(deps, job);
  const isShared = job.counts.total >= deps.togetherFrom;
  const inSlot = slots(copies.parallel);
  let isRemoving = false;
  return {
    ...copies,
    // Items that wait for a shared deletion use no connection, so many may run at once.
    get parallel() {
      return isRemoving && isShared ? always(removalsAtOnce) : copies.parallel;
    },
    isLarge: (item) => !isCopied(itemOfWork(item, 'copy')) && copies.isLarge(item),
    work: async (context, item) => {
      const copyContext = copies.contextFor(context);
      const moving = itemOfWork(item, 'copy');
      if (isCopied(moving)) return (await removeSource(copyContext, moving)) ?? startAgain(moving);
      return await inSlot(context.signal, async () => await copyItem(copyContext, moving));
    },
    finish: async (context, report) => {
      await checkDeleted(context, report);
    },
    release: (items) => {
      isRemoving = items.countOf(job.id, 'asking') === 0 && items.release(job.id) > 0;
      return isRemoving;
    },
  };
}

function isCopied({ copy }: CopyItem): boolean {
  return copy !== null && copy.stage !== 'copying';
}

function isLargeFrom(largeBytes: number): PassWork['isLarge'] {
  return (item) =>
    (itemOfWork(item, 'copy').copy?.parts ?? null) !== null || (item.sizeBytes ?? 0) >= largeBytes;
}

function placeOf(job: TransferJob): { readonly connectionId: string; readonly bucket: string } {
  return operationOf(job).to ?? { connectionId: job.connectionId, bucket: job.bucket };
}

async function targetOf(deps: OperationDeps, job: TransferJob): Promise<S3Client> {
  return await deps.clientOf(placeOf(job).connectionId);
}

function nothingAbsent(): Absent {
  return { tags: false, keyedCopies: false, copies: false, acls: null };
}

function contextOf(
  operations: OperationDeps,
  context: ItemContext,
  target: S3Client,
  absent: Absent,
): Omit<CopyContext, 'shared'> {
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

const maxCommitItems = 32;

/** Creates the work that the items of one run share. The run's signal aborts its requests. */
function sharedWorkOf(
  context: Omit<CopyContext, 'shared'>,
  deps: Pick<RemovalDeps, 'requestErrors'>,
): SharedWork {
  const { signal, client, target, job, to, operations } = context;
  const targets = new ListedLooks(target, to.bucket, signal);
  const sources = new ListedLooks(client, job.bucket, signal);
  return {
    commits: new GroupCommit(operations.store, operations.clock, maxCommitItems),
    targets,
    removals: removalsOf({ ...deps, sources, targets }),
  };
}
