import { assertNever } from '../../../shared/assert-never.ts';
import { AppFailure, failure } from '../../../shared/errors.ts';
import { transferKinds } from '../../../shared/models/job-kinds.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import type { Comparison } from '../../../shared/models/transfers.ts';
import type { Driver, EffectContext, EngineEvent, FinishedJob, Live, NewAttempt } from '../jobs/job.ts';
import { begunBytes } from './items/piece-bits.ts';
import { compareSides } from './downloads/verify-file.ts';
import type { TransferDeps } from './items/item-context.ts';
import { ItemContexts, type SharedByItems } from './item-contexts.ts';
import { ItemStore } from './items/item-store.ts';
import { keyChangesOf } from './items/key-changes.ts';
import { ListGate } from './items/due-items.ts';
import { openItems, transferModel } from './transfer-model.ts';
import {
  noCountChanges,
  transferTransition,
  type CountChanges,
  type TransferEffect,
  type TransferEvent,
} from './items/transfer-transition.ts';
import { runPass } from './pass.ts';
import { removeHalfFiles } from './remove-half-files.ts';
import { setDamagedAside, damagedRecord, isDamagedRecord } from './items/damaged-items.ts';
import type { Strategies } from './transfer-strategies.ts';
import { transferJobSchema, type TransferJob } from './items/transfer-job.ts';
import type { Item } from './items/transfer-item.ts';

type Context = EffectContext<TransferEvent>;

/** Carries out the effects of transfer jobs. */
export class TransferDriver implements Driver<TransferJob, TransferEvent, TransferEffect> {
  readonly kinds = transferKinds;
  readonly transition = transferTransition;
  readonly items: ItemStore;
  readonly #deps: TransferDeps;
  readonly #contexts: ItemContexts;
  readonly #strategies: Strategies;
  /** The running transfers by job id. */
  readonly #inFlight = new Map<string, Promise<TransferEvent>>();
  /** The jobs that this run of the program created or already checked for damaged items. */
  readonly #checked = new Set<string>();

  constructor(deps: TransferDeps, strategies: Strategies) {
    this.#deps = deps;
    this.#strategies = strategies;
    this.items = new ItemStore(deps.store);
    this.#contexts = new ItemContexts(deps, this.items);
  }

  parse(data: unknown): TransferJob {
    return transferJobSchema.parse(data);
  }

  /**
   * Makes failed and postponed items due when the user retries, in the same transaction as the event; only postponed ones after an
   * automatic retry.
   */
  persist(job: TransferJob, event: TransferEvent | EngineEvent): void {
    if (event.kind !== 'retry-now' || job.state !== 'waiting') return;
    this.items.hurry(job.id);
    if (event.isAutomatic === true) return;
    for (const page of this.items.pagesInState(job.id, 'failed', 500))
      for (const item of page) this.items.put(job.id, withFreshTries(item));
  }

  clearAtOnce(jobs: readonly FinishedJob[]): readonly string[] {
    const downloads = jobs.filter(({ kind }) => kind === 'download');
    // Only cancelled downloads, and those with unsettled items, can have partial files.
    const unsettled = this.items.withUnsettled(downloads.map(({ id }) => id));
    const owners = new Set(downloads.filter(({ id, state }) => state === 'cancelled' || unsettled.has(id)));
    return this.items.clearSmall(jobs.flatMap((job) => (owners.has(job) ? [] : [job.id])));
  }

  removeSome(jobId: string): boolean {
    return this.items.clearSome(jobId);
  }

  /** Deletes the partial files of a job that was cleared, since it cannot be resumed. */
  async removeLeftovers(job: TransferJob, log: (attempt: NewAttempt) => void): Promise<void> {
    if (job.kind === 'download') await removeHalfFiles(this.items, job, log);
  }

  /**
   * Carries out one effect of a transfer and returns the resulting event. Throws `AppError('internal')` if the list of items was
   * not stored.
   */
  async perform(effect: TransferEffect, job: TransferJob, context: Context): Promise<TransferEvent> {
    switch (effect.kind) {
      case 'prepare':
        return await this.#prepare(job, context);
      case 'transfer':
        return await this.#tracked(job.id, this.#transfer(job, context));
      case 'undo': {
        // The stopped effect may still create a partial file or a copy, so wait for its end first.
        await this.#inFlight.get(job.id)?.catch(() => undefined);
        context.signal.throwIfAborted();
        if (job.kind === 'download') {
          await removeHalfFiles(this.items, job, context.log);
          return { kind: 'undone' };
        }
        const client = await this.#deps.clientOf(job.connectionId);
        await this.#strategies[job.kind].undo?.(
          this.#contexts.of({ job, client, context, signal: context.signal, parts: this.#contexts.parts() }),
          context,
        );
        return { kind: 'undone' };
      }
      default:
        return assertNever(effect);
    }
  }

  toModel(job: TransferJob, live: Live | null): Job {
    return transferModel(job, live, {
      begunBytes: () => this.#begunBytes(job),
      isSilent: this.#deps.uploads.memory.isSilent(job.id),
    });
  }

  /**
   * Returns how many bytes of unfinished items are already stored. After a cancel, only uploads leave parts on the service; other
   * kinds remove their partial results.
   */
  #begunBytes({ id, kind, state }: TransferJob): number {
    const leavesParts = kind === 'upload' || kind === 'resume-many';
    if (state === 'done' || (state === 'cancelled' && !leavesParts)) return 0;
    let bytes = 0;
    for (const stored of this.items.begunBytes(id).values()) bytes += stored;
    return bytes;
  }

  async #tracked(jobId: string, work: Promise<TransferEvent>): Promise<TransferEvent> {
    this.#inFlight.set(jobId, work);
    try {
      return await work;
    } finally {
      if (this.#inFlight.get(jobId) === work) this.#inFlight.delete(jobId);
    }
  }

  async #prepare(job: TransferJob, context: Context): Promise<TransferEvent> {
    const strategy = this.#strategies[job.kind];
    if (this.items.count(job.id) === 0) this.#checked.add(job.id);
    if (strategy.beginsWhileListing !== true)
      return await strategy.prepare(this.items, job, context, new ListGate());
    return await this.#tracked(job.id, this.#listAndTransfer(job, context));
  }

  /** Transfers the first objects while the rest are still being listed. If listing or transferring fails, stops the other. */
  async #listAndTransfer(job: TransferJob, context: Context): Promise<TransferEvent> {
    const failed = new AbortController();
    const both: Context = { ...context, signal: AbortSignal.any([context.signal, failed.signal]) };
    const gate = new ListGate();
    const work = [this.#list(job, both, gate), this.#transfer(job, both, gate)] as const;
    try {
      const [, event] = await Promise.all(work);
      return event;
    } catch (thrown) {
      failed.abort(failure('cancelled', 'Listing or transferring failed, so both were stopped.'));
      await Promise.allSettled(work);
      throw thrown;
    }
  }

  async #list(job: TransferJob, context: Context, gate: ListGate): Promise<void> {
    await this.#strategies[job.kind].prepare(this.items, job, context, gate);
    // Workers read only stored rows, so all listed items must be stored before listing counts as complete.
    if (this.items.count(job.id) < gate.total)
      throw failure('internal', 'The list of objects could not be stored yet.', { retry: 'backoff' });
    context.emit({ kind: 'listed' });
    gate.complete();
  }

  async #transfer(job: TransferJob, context: Context, gate?: ListGate): Promise<TransferEvent> {
    const parts = this.#contexts.parts();
    try {
      return await this.#passes(job, context, parts, gate);
    } finally {
      parts.blocks.free();
    }
  }

  async #passes(
    job: TransferJob,
    context: Context,
    parts: SharedByItems,
    gate: ListGate | undefined,
  ): Promise<TransferEvent> {
    const client = await this.#deps.clientOf(job.connectionId);
    await this.#setDamagedAside(job, context);
    const inFlight = new Map(this.items.begunBytes(job.id));
    let { bytesDone } = job.counts;
    let filesDone = job.counts.done + job.counts.skipped;
    const show = (): void => {
      let bytes = bytesDone;
      for (const count of inFlight.values()) bytes += count;
      context.progress(bytes, filesDone);
    };
    const pass = await this.#strategies[job.kind].begin(job, context.signal);
    for (;;) {
      const { dueMs, error } = await runPass({
        ...pass,
        jobId: job.id,
        items: this.items,
        clock: this.#deps.clock,
        random: this.#deps.random,
        // At least two: while the parts of one item are in flight, another item can begin or complete.
        largeAtOnce: Math.max(2, parts.scheduler.limit),
        signal: context.signal,
        gate,
        work: async (item, signal) => {
          const itemContext = this.#contexts.of({
            job,
            client,
            context,
            signal,
            parts,
            onBytes: (bytes) => {
              inFlight.set(item.seq, bytes);
              show();
            },
            total: Math.max(job.counts.total, gate?.total ?? 0),
          });
          try {
            if (isDamagedRecord(item)) throw new AppFailure(damagedRecord);
            return await pass.work(itemContext, item);
          } finally {
            // The stored bytes of a large item still count as progress while it waits for its retry.
            const stored = pass.isLarge(item) ? begunBytes(this.items.get(job.id, item.seq) ?? item) : null;
            if (stored === null) inFlight.delete(item.seq);
            else inFlight.set(item.seq, stored);
          }
        },
        onMoved: (moved, write, settled) => {
          for (const { seq } of settled) inFlight.delete(seq);
          bytesDone += moved.bytesDone;
          filesDone += moved.done + moved.skipped;
          context.emit({ kind: 'items-moved', moved }, write);
          for (const changed of keyChangesOf(job, settled)) this.#deps.onKeysChanged(changed);
          show();
        },
      });
      if (dueMs === null && pass.release?.(this.items) === true) continue;
      if (dueMs === null && this.#isAllDone(job.id))
        await pass.finish?.(
          this.#contexts.of({ job, client, context, signal: context.signal, parts }),
          (item) =>
            context.emit({ kind: 'items-moved', moved: { ...noCountChanges, ...lateChange(item) } }, () =>
              this.items.put(job.id, item),
            ),
        );
      // Items that the user decided about during this run, or that started again, are due at once.
      if (dueMs === null || dueMs > this.#deps.clock.nowMs() || error !== null)
        return { kind: 'pass-ended', dueMs, error, ...openItems(this.items, job.id) };
    }
  }

  /**
   * Replaces damaged items by failed ones. Runs once per job and program start, because only earlier runs can have left damage.
   */
  async #setDamagedAside(job: TransferJob, context: Context): Promise<void> {
    if (this.#checked.has(job.id)) return;
    await setDamagedAside(this.#deps, this.items, job, context);
    this.#checked.add(job.id);
  }

  #isAllDone(jobId: string): boolean {
    return (['todo', 'held', 'failed', 'asking'] as const).every(
      (state) => this.items.countOf(jobId, state) === 0,
    );
  }

  /**
   * Compares the content of both sides of an item in conflict. Throws AppError('not-found') if the job or item does not exist.
   */
  async compare(jobId: string, seq: number, signal: AbortSignal): Promise<Comparison> {
    const stored = this.#deps.store.load(jobId);
    const item = this.items.get(jobId, seq);
    if (stored === null || item === null)
      throw failure('not-found', 'There is no such item.', { reason: 'job-gone' });
    const job = this.parse(JSON.parse(stored.data));
    const client = await this.#deps.clientOf(job.connectionId);
    return await compareSides({ hasher: this.#deps.hasher, client }, job, item, signal);
  }
}

/** Returns the change of the counts when the job's final check gave a done item an error or a note. */
function lateChange({ state }: Item): Partial<CountChanges> {
  return state === 'failed' ? { done: -1, failed: 1 } : { noted: 1 };
}

/** Resets the counters of attempts, because the user retries. A damaged download starts again at the first byte. */
function withFreshTries(item: Item): Item {
  const fresh = { state: 'todo', error: null, dueMs: 0, tries: 0, restarts: 0, damages: 0 } as const;
  if (isDamagedRecord(item)) return { ...item, state: 'todo', dueMs: 0 };
  if (item.work === 'download' && item.error?.code === 'damaged') return { ...item, ...fresh, pieces: null };
  return { ...item, ...fresh };
}
