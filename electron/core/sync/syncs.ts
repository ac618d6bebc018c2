import { rmSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { SyncFilter, SyncRow, SyncStatus } from '../../../shared/models/sync.ts';
import type { UploadOptions } from '../../../shared/models/transfers.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { KeyWalks } from '../walks/chosen-keys.ts';
import type { Clock, Random } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { sweepOrphans } from '../transfers/items/damaged-items.ts';
import type { ItemStore } from '../transfers/items/item-store.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import { Plan } from './sync-plan.ts';
import { PlanTable, type PlannedRow } from './plan-table.ts';
import { submitPlan } from './run-sync.ts';

export interface SyncsDeps {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly walks: () => KeyWalks;
  readonly hasher: Hasher;
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly items: ItemStore;
  readonly realPathOf: (handle: string) => Promise<string>;
  readonly hasTrash: boolean;
  /** Returns the default upload options of a connection. */
  readonly uploadOptions: (connectionId: string) => UploadOptions;
  readonly folds?: (folder: string) => Promise<boolean>;
}

export interface PlanRequest extends Pick<
  SyncStatus,
  'connectionId' | 'bucket' | 'prefix' | 'direction' | 'comparison'
> {
  readonly folderHandle: string;
  /** True to follow links that lead out of the folder. */
  readonly takesLinksOut: boolean;
}

const watchEveryMs = 250;

/** Plans synchronizations of a folder in one direction, and starts plans as jobs. */
export class Syncs {
  readonly #deps: SyncsDeps;
  readonly #dir: string;
  readonly #plans = new Map<string, Plan>();

  constructor(deps: SyncsDeps) {
    this.#deps = deps;
    this.#dir = path.join(deps.dataDir, 'sync');
    // Plans end with the program. The jobs made from them are in the queue.
    rmSync(this.#dir, { recursive: true, force: true });
    sweepOrphans(deps.store, deps.items);
  }

  /** Starts to plan a synchronization. Throws `AppError('invalid-argument')` if the prefix does not end with its delimiter. */
  async plan(request: PlanRequest): Promise<{ planId: string }> {
    const { folderHandle, ...place } = request;
    if (place.prefix !== '' && !place.prefix.endsWith('/'))
      throw failure('invalid-argument', 'The prefix of a folder must end with the delimiter.', {
        reason: 'not-a-folder',
      });
    const planId = this.#deps.random.id();
    const folder = await this.#deps.realPathOf(folderHandle);
    const removal = this.#deps.hasTrash ? 'trash' : 'permanent';
    const table = new PlanTable(path.join(this.#dir, `${planId}.db`));
    const { clientOf, walks, hasher, folds } = this.#deps;
    const deps = { clientOf, walks, hasher, table, ...(folds === undefined ? {} : { folds }) };
    this.#plans.set(planId, new Plan({ ...place, planId, folder, removal }, deps));
    return { planId };
  }

  /** Yields the status of a plan until it is complete. Throws `AppError('not-found')` if the plan was closed. */
  async *watch(planId: string, signal: AbortSignal): AsyncGenerator<SyncStatus, void, void> {
    const plan = this.#planOf(planId);
    for (;;) {
      const status = plan.status();
      yield status;
      if (status.state !== 'running' || signal.aborted) return;
      await Promise.race([plan.ended, this.#deps.clock.sleep(watchEveryMs, signal).catch(() => undefined)]);
      if (signal.aborted) return;
    }
  }

  /** Returns a range of the plan's rows. Throws AppError('not-found') if the plan was closed. */
  read(
    planId: string,
    filter: SyncFilter,
    offset: number,
    limit: number,
  ): { rows: SyncRow[]; total: number } {
    const { rows, total } = this.#planOf(planId).table.read(filter, offset, limit);
    return { rows: rows.map(modelOf), total };
  }

  /** Stops making a plan. Throws AppError('not-found') if the plan was closed. */
  stop(planId: string): void {
    this.#planOf(planId).stop();
  }

  /**
   * Submits the plan to the queue. Throws `AppError('invalid-argument')` if the plan is incomplete, was already submitted, or has
   * another number of deletions than the user confirmed.
   */
  async run(planId: string, withDeletions: boolean, confirmCount: number): Promise<{ jobIds: string[] }> {
    const plan = this.#planOf(planId);
    const { counts, state } = plan.status();
    if (state !== 'done')
      throw failure('invalid-argument', 'The plan is not complete.', { reason: 'plan-incomplete' });
    if (withDeletions && confirmCount !== counts.delete.items)
      throw failure('invalid-argument', 'The confirmed number of deletions differs from the plan.', {
        reason: 'count-differs',
        retry: 'after-fix',
      });
    if (plan.isRun) throw failure('invalid-argument', 'This plan was already run.', { reason: 'plan-ran' });
    plan.isRun = true;
    const { connectionId, bucket, prefix, direction, folder } = plan.input;
    const { random, clock, jobs, store, items, uploadOptions } = this.#deps;
    const seed = {
      id: random.id(),
      nowMs: clock.nowMs(),
      connectionId,
      bucket,
      prefix,
      name: path.basename(folder),
    };
    try {
      const jobId = await submitPlan(
        { jobs, store, items },
        {
          seed,
          direction,
          folder: plan.folder,
          table: plan.table,
          withDeletions,
          options: uploadOptions(connectionId),
        },
      );
      return { jobIds: jobId === null ? [] : [jobId] };
    } catch (thrown) {
      plan.isRun = false;
      items.clear(seed.id);
      throw thrown;
    }
  }

  /** Closes a plan and deletes its data. Throws AppError('not-found') if it was closed before. */
  async closePlan(planId: string): Promise<void> {
    const plan = this.#planOf(planId);
    this.#plans.delete(planId);
    await drop(plan);
  }

  async close(): Promise<void> {
    const all = [...this.#plans.values()];
    this.#plans.clear();
    await Promise.all(all.map(drop));
  }

  #planOf(planId: string): Plan {
    const plan = this.#plans.get(planId);
    if (plan !== undefined) return plan;
    throw failure('not-found', 'This plan no longer exists. Make it again.', {
      reason: 'plan-gone',
      retry: 'after-fix',
    });
  }
}

async function drop(plan: Plan): Promise<void> {
  plan.stop();
  await plan.ended;
  plan.table.drop();
}

function modelOf({
  etag: _etag,
  localMs: _localMs,
  keep: _keep,
  leaves: _leaves,
  ...row
}: PlannedRow): SyncRow {
  return row;
}
