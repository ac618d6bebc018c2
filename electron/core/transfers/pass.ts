import { type Deferred, affectsWholeJob } from './items/item-context.ts';
import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import { isShownNote } from '../../../shared/models/transfers.ts';
import { backoffMs, retryPolicies } from '../flow/retry-policies.ts';
import { mayRepeat } from '../jobs/failure.ts';
import { always, slots, type AtOnce, type Slots } from '../flow/limits.ts';
import type { Clock, Random } from '../ports.ts';
import { begunBytes } from './items/piece-bits.ts';
import { isLastDamage, type Item } from './items/transfer-item.ts';
import type { ItemStore } from './items/item-store.ts';
import { type ListGate, DueItems } from './items/due-items.ts';
import { DeferredWork } from '../flow/deferred-work.ts';
import { noCountChanges, type CountChanges } from './items/transfer-transition.ts';

/** The rules of a run over items in which kinds of jobs differ. */
export interface PassRules {
  /** The number of small items processed in parallel. Large items share the slots of the job instead. */
  readonly parallel: AtOnce;
  readonly isLarge: (item: Item) => boolean;
  /** Returns true for additional errors that affect all items of the job, not just one. */
  readonly affectsAllItems?: (thrown: unknown) => boolean;
  /**
   * Flushes the files of these items to disk before the items count as settled. Called for many items at once, in the background.
   */
  readonly makeSafe?: (items: readonly Item[]) => Promise<void>;
}

export interface PassOptions extends PassRules {
  readonly jobId: string;
  readonly items: ItemStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The maximum number of large items in progress at once, in addition to small ones. */
  readonly largeAtOnce: number;
  readonly signal: AbortSignal;
  /** Restricts the run to items whose names are final while the list still grows; absent if the list is complete. */
  readonly gate?: ListGate | undefined;
  readonly work: (item: Item, signal: AbortSignal) => Promise<Item | Deferred>;
  /** Stores results: must call `write` and store the job's counts in the same transaction. */
  readonly onMoved: (moved: CountChanges, write: () => void, items: readonly Item[]) => void;
}

const pageSize = 200;
/**
 * Results are stored in batches. After a crash, the check of an item's target finds results that were not stored. The time limits
 * how many results a crash can lose, the number how long storing takes.
 */
const flushAfterMs = 250;
const flushAfterItems = 1000;
/** The maximum number of batches that wait to be stored. Above it, workers wait for the disk. */
const maxStoresAhead = 2;
const neverAborted = new AbortController().signal;
/**
 * The maximum number of items with a deferred last step, and of the bytes that they hold. Many are allowed, so that one flush
 * covers many small files.
 */
const maxDeferred = 1200;
const maxHeldBytes = 32 * 1024 * 1024;
/** An upper bound of the workers for small and large items together. */
const maxWorkers = 200;
/** The maximum number of items in a run that have started or finished, but are not stored as such yet. */
export const maxUnsettled = (maxStoresAhead + 1) * flushAfterItems + maxDeferred + maxWorkers;

interface Result {
  readonly before: Item;
  readonly after: Item;
}

/**
 * Processes all due items of a job, several in parallel. Returns the time at which the next item is due, and the last error.
 * Throws errors that stop the whole job, such as one of the store, and the signal's reason. Errors of single items are stored
 * with them.
 */
export async function runPass(
  options: PassOptions,
): Promise<{ readonly dueMs: number | null; readonly error: AppError | null }> {
  const { jobId, items, clock } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const read = (after: number): readonly Item[] => items.due(jobId, clock.nowMs(), after, pageSize);
  const dueItems = new DueItems(read, options.isLarge, signal, options.gate ?? null);
  let buffer: Result[] = [];
  let storing: Promise<void> = Promise.resolve();
  let storesAhead = 0;
  let flushedMs = clock.monotonicMs();
  let failuresInARow = 0;
  let lastError: AppError | null = null;
  let fatal: unknown = null;

  const store = (results: readonly Result[]): void =>
    options.onMoved(
      movedBy(results),
      () => {
        for (const { after } of results) items.put(jobId, after);
      },
      results.flatMap(({ after }) => (begunBytes(after) === null ? [after] : [])),
    );
  const storeSafely = async (
    makeSafe: (items: readonly Item[]) => Promise<void>,
    results: readonly Result[],
    before: Promise<void>,
  ): Promise<void> => {
    await before;
    let safeResults = results;
    try {
      await makeSafe(results.map(({ after }) => after));
    } catch (thrown) {
      const error = toAppError(thrown);
      if (affectsWholeJob(error)) {
        fatal ??= thrown;
        ended.abort(failure('cancelled', 'Another item failed in a way that stops the whole job.'));
        return;
      }
      lastError = error;
      safeResults = results.map((result) =>
        result.after.state === 'done'
          ? {
              ...result,
              after: itemAfterFailure(result.before, error, clock.nowMs(), options.random.fraction()),
            }
          : result,
      );
    }
    if (!options.signal.aborted) store(safeResults);
  };
  const flush = (): void => {
    flushedMs = clock.monotonicMs();
    if (buffer.length === 0) return;
    const results = buffer;
    buffer = [];
    if (options.makeSafe === undefined) {
      store(results);
      return;
    }
    storesAhead += 1;
    storing = storeSafely(options.makeSafe, results, storing).finally(() => {
      storesAhead -= 1;
    });
  };
  const addResult = (before: Item, after: Item): void => {
    buffer.push({ before, after });
    if (buffer.length >= flushAfterItems || clock.monotonicMs() - flushedMs >= flushAfterMs) flush();
  };
  /** Records the failure of an item. Returns false if no further item may be started. */
  const fail = (item: Item, thrown: unknown): boolean => {
    // This item was aborted because another item's error affects all of them, so it has no failure to record.
    if (signal.aborted) return false;
    const error = toAppError(thrown);
    lastError = error;
    if (affectsWholeJob(error) || options.affectsAllItems?.(thrown) === true) {
      fatal = thrown;
      ended.abort(failure('cancelled', 'Another item failed in a way that stops the whole job.'));
      return false;
    }
    // The stored item is used, because it contains the progress that was stored during the attempt (parts, pieces).
    const now = items.get(jobId, item.seq) ?? item;
    addResult(item, itemAfterFailure(now, error, clock.nowMs(), options.random.fraction()));
    // Damage concerns only this object and does not count as a failure of the service.
    if (!mayRepeat(error, 0) || error.code === 'damaged') return true;
    failuresInARow += 1;
    // The service fails repeatedly, so the whole job waits instead of trying further items in vain.
    if (failuresInARow <= options.parallel.limit + options.largeAtOnce + 2) return true;
    ended.abort(failure('cancelled', 'The service is failing; the job was paused.'));
    return false;
  };
  const deferred = new DeferredWork(maxDeferred, maxHeldBytes);
  const finish = async (item: Item, rest: Deferred): Promise<void> => {
    try {
      addResult(item, await rest.finish());
    } catch (thrown) {
      fail(item, thrown);
    }
  };
  /** Processes the next due item. Returns false if no item is due. */
  const workOnNext = async (kind: 'large' | 'small'): Promise<boolean> => {
    const nextItem = await dueItems.next(kind);
    if (nextItem === undefined) return false;
    try {
      const outcome = await options.work(nextItem, signal);
      failuresInARow = 0;
      if ('finish' in outcome)
        await deferred.begin(outcome.heldBytes, async () => await finish(nextItem, outcome));
      else addResult(nextItem, outcome);
      if (storesAhead > maxStoresAhead) await storing;
      return true;
    } catch (thrown) {
      return fail(nextItem, thrown);
    }
  };
  const worker = async (kind: 'large' | 'small', inSlot: Slots): Promise<void> => {
    let hasNext = true;
    // No signal is passed. After an abort, a waiting worker gets a slot, finds no due item and ends.
    while (hasNext) hasNext = await inSlot(neverAborted, async () => await workOnNext(kind));
  };
  const workers = (kind: 'large' | 'small', atOnce: AtOnce): Promise<void>[] => {
    const inSlot = slots(atOnce);
    return Array.from({ length: atOnce.maxLimit }, async () => await worker(kind, inSlot));
  };
  try {
    await Promise.all([
      ...workers('small', options.parallel),
      ...workers('large', always(options.largeAtOnce)),
    ]);
  } finally {
    await deferred.idle();
  }
  if (!options.signal.aborted) flush();
  await storing;
  options.signal.throwIfAborted();
  if (fatal !== null) throw fatal;
  return { dueMs: items.nextDueMs(jobId), error: lastError };
}

function itemAfterFailure(item: Item, error: AppError, nowMs: number, fraction: number): Item {
  const tries = item.tries + 1;
  const isDamaged = error.code === 'damaged';
  const damages = isDamaged ? item.damages + 1 : item.damages;
  const isOver =
    tries > retryPolicies.item.maxFailures ||
    !mayRepeat(error, item.tries) ||
    (isDamaged && isLastDamage(item));
  if (isOver) return { ...item, state: 'failed', tries: 0, damages, error };
  return {
    ...item,
    tries,
    damages,
    error,
    dueMs: nowMs + backoffMs(retryPolicies.item, tries, fraction, error.retryAfterMs),
  };
}

/** Returns the item's size if none of its bytes need to be transferred again, otherwise 0. */
function finishedBytes(item: Item): number {
  const copy = item.work === 'copy' ? item.copy : null;
  const isFinished =
    item.state === 'done' ||
    item.state === 'skipped' ||
    (copy !== null && copy.stage !== 'copying' && copy.target !== null);
  return isFinished ? (item.sizeBytes ?? 0) : 0;
}

/** Returns true if the item is settled and has a note to show. */
export function isNoted({ state, note }: Item): boolean {
  return (state === 'done' || state === 'skipped') && isShownNote(note);
}

function movedBy(results: readonly Result[]): CountChanges {
  const moved = { ...noCountChanges };
  for (const { before, after } of results) {
    moved.bytesTotal += (after.sizeBytes ?? 0) - (before.sizeBytes ?? 0);
    moved.bytesDone += finishedBytes(after) - finishedBytes(before);
    if (after.state === 'todo' || after.state === 'held') continue;
    moved[after.state] += 1;
    if (after.state === 'done' && before.sync?.action === 'remove') moved.removed += 1;
    // A move whose copy already existed still deletes its source, so it does not count as unchanged.
    if (after.state === 'done' && after.note === 'same' && before.state !== 'held') moved.same += 1;
    if (isNoted(after)) moved.noted += 1;
  }
  return moved;
}
