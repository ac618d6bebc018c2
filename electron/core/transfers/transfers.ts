import { stat } from 'node:fs/promises';
import path from 'node:path';
import { assertNever } from '../../../shared/assert-never.ts';
import { failure } from '../../../shared/errors.ts';
import { transferKinds, type JobKind } from '../../../shared/models/job-kinds.ts';
import { defaultMultipartFromBytes } from '../../../shared/models/default-settings.ts';
import type {
  Comparison,
  Decision,
  DownloadItem,
  DownloadOptions,
  ItemFilter,
  StoredParts,
  TransferItem,
  UploadOptions,
} from '../../../shared/models/transfers.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Clock, Random } from '../ports.ts';
import type { TransferDriver } from './transfer-driver.ts';
import { unverifiedName, lastSegment } from '../../../shared/keys/paths.ts';
import type { DragCopies } from './results.ts';
import { isComplete } from './items/piece-bits.ts';
import { itemReport } from './item-report.ts';
import { localFileFailure } from '../disk/disk-failure.ts';
import { itemModel, unfinishedUploads } from './transfer-model.ts';
import { downloadTransfer, uploadTransfer, type ChosenSource } from './items/transfer-job.ts';
import type { DownloadItem as ItemOfDownload, Item } from './items/transfer-item.ts';
import type { TransferEvent } from './items/transfer-transition.ts';

export interface TransfersDeps {
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly driver: TransferDriver;
  readonly clock: Clock;
  readonly random: Random;
  readonly chosenFile: (handle: string) => Promise<ChosenSource>;
  /** Null or absent if the host cannot start a drag of files in the system. */
  readonly dragCopies?: Pick<DragCopies, 'within'> | null;
  /** Aborts these uploads on the service, by jobs in the queue. */
  readonly abortUploads: (refs: readonly UploadRef[]) => Promise<{ readonly refused: readonly unknown[] }>;
  /** The size from which files are uploaded in parts, in bytes. Default: 16 MiB. */
  readonly multipartFromBytes?: () => number;
  /** The part size in bytes. Default: 16 MiB, or less if uploads in parts start at a smaller size. */
  readonly partSizeBytes?: () => number;
}

export interface UploadInput {
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly fileHandles: readonly string[];
  readonly options: UploadOptions;
}

export interface DownloadInput extends Omit<DragInput, 'keys'> {
  readonly items: readonly DownloadItem[];
  readonly folderHandle: string;
  readonly options: DownloadOptions;
}

export interface DragInput {
  readonly connectionId: string;
  readonly bucket: string;
  readonly basePrefix: string;
  readonly keys: readonly string[];
}

/**
 * Creates the jobs that upload and download files and folders, and reads their items. Methods about items throw
 * AppError('not-found') if the job does not exist, and AppError('invalid-argument') if its kind has no items.
 */
export class Transfers {
  readonly #deps: TransfersDeps;

  constructor(deps: TransfersDeps) {
    this.#deps = deps;
  }

  async upload(input: UploadInput): Promise<{ jobId: string }> {
    const sources = await Promise.all(
      input.fileHandles.map(async (handle) => await this.#deps.chosenFile(handle)),
    );
    const [first] = sources;
    const name = first === undefined ? '' : path.basename(first.path);
    const multipartFromBytes =
      input.options.multipartFromBytes ?? this.#deps.multipartFromBytes?.() ?? defaultMultipartFromBytes;
    // Stored with the job, so that later changes of the settings affect only later uploads.
    const partSizeBytes = input.options.partSizeBytes ?? this.#deps.partSizeBytes?.() ?? null;
    const options = { ...input.options, multipartFromBytes, partSizeBytes };
    const job = uploadTransfer({ ...this.#seed(input), prefix: input.prefix, name }, sources, options);
    this.#deps.jobs.submit(job);
    return { jobId: job.id };
  }

  storedParts(jobId: string): StoredParts {
    const { uploads, sizeBytes } = unfinishedUploads(this.#deps.driver.items, jobId);
    return { uploads, sizeBytes };
  }

  /**
   * Cancels an upload and deletes its parts. Returns how many multipart uploads could not be aborted; these remain listed as
   * stalled.
   */
  async cancelAndDeleteParts(jobId: string): Promise<{ kept: number }> {
    const { jobs, driver } = this.#deps;
    jobs.send(jobId, { kind: 'cancel' });
    await jobs.released(jobId);
    const { refs } = unfinishedUploads(driver.items, jobId);
    if (refs.length === 0) return { kept: 0 };
    const { refused } = await this.#deps.abortUploads(refs);
    return { kept: refused.length };
  }

  /**
   * Creates a download. Throws `AppError('invalid-argument')` if the target is not a folder, and `AppError('storage')` if it
   * cannot be read.
   */
  async download(input: DownloadInput): Promise<{ jobId: string }> {
    const { real: folder } = await this.#deps.chosenFile(input.folderHandle);
    try {
      if (!(await stat(folder)).isDirectory())
        throw failure('invalid-argument', 'This is not a folder.', { reason: 'not-a-folder' });
    } catch (thrown) {
      throw localFileFailure(thrown);
    }
    return this.#download(input, input.items, folder, input.options);
  }

  /**
   * Creates a download into a temporary folder, from which the user can drag the files once it is done. Rejects with
   * `AppError('unsupported')` if the host cannot start a drag.
   */
  async fetchForDrag(input: DragInput): Promise<{ jobId: string }> {
    const { dragCopies = null } = this.#deps;
    if (dragCopies === null)
      throw failure('unsupported', 'This host cannot pass files to other programs.', {
        reason: 'not-implemented',
      });
    const items = input.keys.map((key) => ({ kind: 'key', key }) as const);
    return await dragCopies.within((folder) =>
      this.#download(input, items, folder, { onConflict: 'rename' }),
    );
  }

  /**
   * Returns a page of the job's items. Throws AppError('not-found') if the job does not exist, and AppError('invalid-argument')
   * if its kind has no items.
   */
  items(
    jobId: string,
    filter: ItemFilter,
    offset: number,
    limit: number,
  ): { items: TransferItem[]; total: number } {
    this.#requireTransfer(jobId);
    const { items, total } = this.#deps.driver.items.list(jobId, filter, offset, limit);
    return { items: items.map(itemModel), total };
  }

  /**
   * Applies the user's decisions about existing targets in one transaction. Throws AppError('not-found') if the job does not
   * exist, and AppError('invalid-argument') if its kind has no items.
   */
  answer(jobId: string, decisions: readonly Decision[]): void {
    this.#requireTransfer(jobId);
    const { items } = this.#deps.driver;
    const { store, jobs } = this.#deps;
    store.transaction(() => {
      let answeredCount = 0;
      const decide = (item: Item | null, action: Decision['action']): void => {
        if (item === null || item.state !== 'asking') return;
        answeredCount += 1;
        items.put(jobId, { ...item, state: 'todo', decision: action, dueMs: 0, source: null, target: null });
      };
      let policy: Decision['action'] | null = null;
      for (const { seq, action } of decisions) {
        if (seq !== null) {
          decide(items.get(jobId, seq), action);
          continue;
        }
        policy = action;
        for (const page of items.pagesInState(jobId, 'asking', 500))
          // A decision about existing targets does not apply to hidden files, because the user has not seen them.
          for (const item of page) if (item.note !== 'hidden-in-home') decide(item, action);
      }
      jobs.send(jobId, { kind: 'answered', answeredCount, policy } satisfies TransferEvent);
    });
  }

  /**
   * Keeps a downloaded file that was damaged in each attempt, under a name that marks it as unverified. Throws
   * `AppError('conflict')` if the item is not damaged.
   */
  keepUnverified(jobId: string, seq: number): void {
    this.#requireTransfer(jobId);
    const { items } = this.#deps.driver;
    const { store, jobs } = this.#deps;
    store.transaction(() => {
      const item = items.get(jobId, seq);
      if (item?.work !== 'download' || item.state !== 'failed' || item.error?.code !== 'damaged')
        throw failure('conflict', 'This item is not a damaged download.', { reason: 'not-damaged' });
      items.put(jobId, toUnverifiedItem(item));
      jobs.send(jobId, { kind: 'wanted-again' } satisfies TransferEvent);
    });
  }

  /**
   * Compares the content of both sides of an item in conflict. Throws AppError('not-found') if the job does not exist, and
   * AppError('invalid-argument') if its kind has no items.
   */
  async compare(jobId: string, seq: number, signal: AbortSignal | undefined): Promise<Comparison> {
    this.#requireTransfer(jobId);
    return await this.#deps.driver.compare(jobId, seq, signal ?? new AbortController().signal);
  }

  /**
   * Returns the CSV report of the job's items. Throws AppError('not-found') if the job does not exist, and
   * AppError('invalid-argument') if its kind has no items.
   */
  report(jobId: string): ReturnType<typeof itemReport> {
    this.#requireTransfer(jobId);
    return itemReport(this.#deps, jobId);
  }

  /**
   * Retries the failed items of a job. Throws AppError('not-found') if the job does not exist, and AppError('invalid-argument')
   * if its kind has no items.
   */
  retryFailed(jobId: string): void {
    this.#requireTransfer(jobId);
    this.#deps.jobs.send(jobId, { kind: 'retry-now' });
  }

  #download(
    input: Omit<DragInput, 'keys'>,
    items: readonly DownloadItem[],
    folder: string,
    { onConflict }: DownloadOptions,
  ): { jobId: string } {
    const [first] = items;
    const name = first === undefined ? '' : lastSegment(nameSource(first, input.basePrefix));
    const seed = { ...this.#seed(input), prefix: input.basePrefix, name: name === '' ? input.bucket : name };
    const job = downloadTransfer(seed, items, folder, onConflict);
    this.#deps.jobs.submit(job);
    return { jobId: job.id };
  }

  #seed({ connectionId, bucket }: Pick<DragInput, 'connectionId' | 'bucket'>) {
    return { id: this.#deps.random.id(), nowMs: this.#deps.clock.nowMs(), connectionId, bucket };
  }

  #requireTransfer(jobId: string): void {
    const job = this.#deps.jobs.job(jobId);
    if (job === null) throw failure('not-found', 'There is no such job.', { reason: 'job-gone' });
    if (!(transferKinds as readonly JobKind[]).includes(job.kind))
      throw failure('invalid-argument', 'This job is not a file transfer.', { reason: 'not-a-transfer' });
  }
}

/**
 * Returns a damaged download as an item to keep. Keeps its pieces if all are stored; otherwise the object is downloaded again.
 */
function toUnverifiedItem(item: ItemOfDownload): ItemOfDownload {
  return {
    ...item,
    state: 'todo',
    error: null,
    dueMs: 0,
    tries: 0,
    unverified: item.unverified ?? item.localName,
    localName: item.unverified === null ? unverifiedName(item.localName) : item.localName,
    pieces: item.pieces !== null && isComplete(item.pieces) ? item.pieces : null,
  };
}

/** Returns the key after which a download is named. For a search, that is the searched folder. */
function nameSource(item: DownloadInput['items'][number], basePrefix: string): string {
  switch (item.kind) {
    case 'key':
      return item.key;
    case 'prefix':
      return item.prefix;
    case 'walk':
      return basePrefix;
    default:
      return assertNever(item);
  }
}
