import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { SyncAction, SyncStatus } from '../../../shared/models/sync.ts';
import type { KeyWalks } from '../walks/chosen-keys.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { localFileFailure } from '../disk/disk-failure.ts';
import { checkReal } from '../disk/fence.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import { isProbablyCaseInsensitive } from '../disk/local-files.ts';
import { localEntries, remoteEntries } from './gather.ts';
import { comparePairs, foldName } from './compare-pairs.ts';
import type { PlannedRow, PlanTable } from './plan-table.ts';
import { noForeign } from '../s3/listing/prefixes.ts';

export interface SyncPlanInput extends Pick<
  SyncStatus,
  'planId' | 'direction' | 'comparison' | 'connectionId' | 'bucket' | 'prefix'
> {
  /** The path of the local folder, as the user chose it. */
  readonly folder: string;
  readonly takesLinksOut: boolean;
  readonly removal: SyncStatus['removal'];
}

export interface PlanDeps {
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly walks: () => KeyWalks;
  readonly hasher: Hasher;
  readonly table: PlanTable;
  /** Returns true if the folder's file system ignores case. Replaced in tests; the default is `isProbablyCaseInsensitive`. */
  readonly folds?: (folder: string) => Promise<boolean>;
}

const noItems = { items: 0, sizeBytes: 0 };

/** Plans a synchronization: lists both sides and compares them, without changing them. */
export class Plan {
  readonly input: SyncPlanInput;
  readonly table: PlanTable;
  readonly ended: Promise<void>;
  /** The real path of the local folder; '' until it is known. */
  folder = '';
  /** True once the plan has been started as a job, which is possible only once. */
  isRun = false;
  readonly #deps: PlanDeps;
  readonly #aborter = new AbortController();
  #state: SyncStatus['state'] = 'running';
  #phase: SyncStatus['phase'] = 'listing';
  #localFiles = 0;
  #remoteKeys = 0;
  #foreign = noForeign;
  #compared = 0;
  #byTime = 0;
  #needDeletion = noItems;
  #error: AppError | null = null;
  #counts: Record<SyncAction, { readonly items: number; readonly sizeBytes: number }> = {
    copy: noItems,
    overwrite: noItems,
    delete: noItems,
    same: noItems,
    skipped: noItems,
  };

  constructor(input: SyncPlanInput, deps: PlanDeps) {
    this.input = input;
    this.table = deps.table;
    this.#deps = deps;
    this.ended = this.#run();
  }

  stop(): void {
    this.#aborter.abort(failure('cancelled', 'The plan was stopped.'));
  }

  status(): SyncStatus {
    const { folder, takesLinksOut: _takesLinksOut, ...input } = this.input;
    return {
      ...input,
      folderName: path.basename(folder),
      state: this.#state,
      phase: this.#phase,
      localFiles: this.#localFiles,
      remoteKeys: this.#remoteKeys,
      foreign: this.#foreign,
      compared: this.#compared,
      counts: { ...this.#counts },
      needDeletion: this.#needDeletion,
      byTime: this.#byTime,
      error: this.#error,
    };
  }

  async #run(): Promise<void> {
    const { signal } = this.#aborter;
    try {
      // Lets the call that started the plan return first.
      await Promise.resolve();
      await this.#make(signal);
      this.#state = 'done';
    } catch (thrown) {
      if (signal.aborted) this.#state = 'stopped';
      else {
        this.#error = toAppError(localFileFailure(thrown));
        this.#state = 'failed';
      }
    }
  }

  async #make(signal: AbortSignal): Promise<void> {
    const { table, hasher } = this.#deps;
    const { connectionId, bucket, prefix, direction, comparison } = this.input;
    this.folder = await realpath(this.input.folder);
    checkReal(this.folder, this.input.folder);
    if (!(await stat(this.folder)).isDirectory())
      throw failure('invalid-argument', 'This is not a folder.', { reason: 'not-a-folder' });
    const folds =
      direction === 'down' && (await (this.#deps.folds ?? isProbablyCaseInsensitive)(this.folder));
    const foldOf = folds ? foldName : null;
    const client = await this.#deps.clientOf(connectionId);
    const ended = new AbortController();
    const listingSignal = AbortSignal.any([signal, ended.signal]);
    const listing = [
      this.#listLocal(prefix, foldOf, listingSignal),
      this.#listRemote({ connectionId, bucket, prefix }, foldOf, listingSignal),
    ];
    try {
      await Promise.all(listing);
    } finally {
      ended.abort();
      await Promise.allSettled(listing);
    }
    this.#phase = 'comparing';
    const context = { direction, comparison, bucket, prefix, folder: this.folder, folds };
    await comparePairs({ ...context, table, client, hasher, signal }, (rows) => this.#found(rows));
  }

  async #listLocal(prefix: string, foldOf: typeof foldName | null, signal: AbortSignal): Promise<void> {
    const { direction, takesLinksOut } = this.input;
    const options = { changesLocal: direction === 'down', takesLinksOut };
    for await (const batch of localEntries(this.folder, prefix, options, signal)) {
      signal.throwIfAborted();
      this.table.add('local', batch, foldOf);
      this.#localFiles += batch.filter(({ kind }) => kind === 'file').length;
    }
  }

  async #listRemote(
    place: { readonly connectionId: string; readonly bucket: string; readonly prefix: string },
    foldOf: typeof foldName | null,
    signal: AbortSignal,
  ): Promise<void> {
    const pages = this.#deps.walks().pages(place, signal, ({ foreign }) => {
      this.#foreign = foreign;
    });
    for await (const page of pages) {
      signal.throwIfAborted();
      this.table.add('remote', remoteEntries(place.prefix, page), foldOf);
      this.#remoteKeys += page.length;
    }
  }

  #found(rows: readonly PlannedRow[]): void {
    this.table.addRows(rows);
    this.#compared += rows.length;
    for (const row of rows) {
      const sizeBytes = bytesOf(row, this.input.direction);
      this.#counts[row.action] = added(this.#counts[row.action], sizeBytes);
      if (row.byTime) this.#byTime += 1;
      if (row.reason === 'needs-deletion') this.#needDeletion = added(this.#needDeletion, sizeBytes);
    }
  }
}

function added(
  sum: { readonly items: number; readonly sizeBytes: number },
  sizeBytes: number,
): { readonly items: number; readonly sizeBytes: number } {
  return { items: sum.items + 1, sizeBytes: sum.sizeBytes + sizeBytes };
}

/** Returns the size of the file that the row transfers or deletes. */
function bytesOf(row: PlannedRow, direction: SyncStatus['direction']): number {
  const source = direction === 'up' ? row.local : row.remote;
  const target = direction === 'up' ? row.remote : row.local;
  return (row.action === 'delete' ? target : (source ?? target))?.sizeBytes ?? 0;
}
