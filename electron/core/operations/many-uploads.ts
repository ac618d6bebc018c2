import { failure, type AppError } from '../../../shared/errors.ts';
import type { KindOfUploads } from '../../../shared/models/job-kinds.ts';
import type { CompletionRequest, UploadRef } from '../../../shared/models/stalled.ts';
import type { ResumeOptions } from '../../../shared/models/resume-plan.ts';
import { inSlices } from '../flow/loops.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { resumeJob } from '../multipart/new-jobs.ts';
import type { PartStore } from '../multipart/parts/part-store.ts';
import { lockKeyOf } from '../multipart/upload-job.ts';
import type { Clock, Random } from '../ports.ts';
import type { ItemStore } from '../transfers/items/item-store.ts';
import { uploadsTransfer } from '../transfers/items/transfer-job.ts';
import { newStalledItem, type StalledItem } from '../transfers/items/transfer-item.ts';

interface Created {
  readonly jobIds: string[];
  readonly refused: { readonly ref: UploadRef; readonly error: AppError }[];
}

export interface ManyUploadsDeps {
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly items: ItemStore;
  readonly parts: PartStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Creates the job for a single upload. `resumption` is also used for each item of a list. */
  readonly single: {
    abort(refs: readonly UploadRef[]): Promise<Created>;
    complete(requests: readonly CompletionRequest[]): Promise<Created>;
    resumption(planId: string, options: ResumeOptions, id: string): ReturnType<typeof resumeJob>;
  };
}

interface List {
  /** The content of the list. Plans can only be resumed; uploads can only be aborted or completed. */
  readonly of: 'plans' | 'uploads';
  readonly connectionId: string;
  readonly key: string;
  /** The bucket of all uploads in the list; '' if they are in several buckets. */
  bucket: string;
  total: number;
  bytesTotal: number;
}

type AgreedUpload = UploadRef & { readonly agreed: StalledItem['agreed'] };

/** The maximum number of lists that no job uses yet. Above it, the oldest lists are dropped. */
const maxLists = 8;

/** The options for resuming many uploads. Parts that cannot be verified are sent again. */
const resumed: ResumeOptions = {
  parallelParts: null,
  bandwidthBytesPerSecond: null,
  acceptUnverified: false,
};

/** Creates the jobs that abort, complete or resume many unfinished uploads. The uploads are stored as items before the job. */
export class ManyUploads {
  readonly #deps: ManyUploadsDeps;
  readonly #lists = new Map<string, List>();

  constructor(deps: ManyUploadsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores uploads for a job that starts later, and returns the list's id. Throws AppError('invalid-argument') for no uploads or
   * several connections, and AppError('not-found') if `listId` is unknown.
   */
  async collect(refs: readonly UploadRef[], listId: string | null): Promise<{ listId: string }> {
    return { listId: await this.#add(refs.map(unseen), listId) };
  }

  /**
   * Stores a plan with the state of each part, for a job that starts later. Throws AppError('not-found') if `listId` is unknown,
   * and AppError('invalid-argument') for several connections.
   */
  collectPlan(planId: string, listId: string | null): { listId: string } {
    const { items, store, parts, random, single } = this.#deps;
    const id = listId ?? random.id();
    const known = listId === null ? null : this.#listOf(listId, 'plans');
    const seq = known?.total ?? 0;
    const { job: upload, records } = single.resumption(planId, resumed, `${id}/${seq}/${random.id()}`);
    const { connectionId, bucket, key, uploadId } = upload;
    const list = known ?? this.#newList(id, 'plans', upload);
    refuseOthers(list, connectionId);
    const sizeBytes = upload.progress.bytesTotal;
    store.transaction(() => {
      if (items.ofFold(id, upload.lockKey) !== null) return;
      items.put(id, newStalledItem({ seq, bucket, key, uploadId, sizeBytes, upload }), upload.lockKey);
      for (const record of records) parts.put(upload.id, record);
      list.total += 1;
      list.bytesTotal += sizeBytes;
      if (bucket !== list.bucket) list.bucket = '';
    });
    return { listId: id };
  }

  /** Starts the job that resumes a list of plans from their files. Throws AppError('not-found') if the list is unknown. */
  resume(listId: string): { jobId: string } {
    this.#submit('resume-many', listId, this.#listOf(listId, 'plans'));
    return { jobId: listId };
  }

  /** Creates a job that aborts these uploads and those of the list. Throws like `collect`. */
  async abort(refs: readonly UploadRef[], listId: string | null): Promise<Created> {
    if (refs.length === 1 && listId === null) return await this.#deps.single.abort(refs);
    return await this.#begin('abort-many', refs.map(unseen), listId);
  }

  /**
   * Creates a job that completes uploads. Those that need the user's confirmation become failed items with the reason. Throws
   * like `collect`.
   */
  async completeWhole(refs: readonly UploadRef[], listId: string | null): Promise<Created> {
    return await this.#begin('complete-many', refs.map(unseen), listId);
  }

  /**
   * Creates a job that completes uploads, each only if it is still in the state that the user confirmed. Throws like `collect`.
   */
  async complete(requests: readonly CompletionRequest[]): Promise<Created> {
    if (requests.length === 1) return await this.#deps.single.complete(requests);
    const uploads = requests.map(({ ref, ...agreed }): AgreedUpload => ({ ...ref, agreed }));
    return await this.#begin('complete-many', uploads, null);
  }

  async #begin(
    kind: Exclude<KindOfUploads, 'resume-many'>,
    uploads: readonly AgreedUpload[],
    listId: string | null,
  ): Promise<Created> {
    const id = await this.#add(uploads, listId);
    this.#submit(kind, id, this.#listOf(id, 'uploads'));
    return { jobIds: [id], refused: [] };
  }

  #submit(kind: KindOfUploads, id: string, list: List): void {
    const { connectionId, bucket, key } = list;
    const seed = { id, nowMs: this.#deps.clock.nowMs(), connectionId, bucket, prefix: '', name: key };
    this.#deps.jobs.submit(uploadsTransfer(kind, seed, { total: list.total, bytesTotal: list.bytesTotal }));
    this.#lists.delete(id);
  }

  /**
   * Stores the items of a job that is created afterwards. After a crash in between, a later start deletes items without a job.
   */
  async #add(uploads: readonly AgreedUpload[], listId: string | null): Promise<string> {
    const { items, store, clock } = this.#deps;
    const [first] = uploads;
    if (first === undefined) throw failure('invalid-argument', 'There are no uploads.');
    const id = listId ?? this.#deps.random.id();
    const list = listId === null ? this.#newList(id, 'uploads', first) : this.#listOf(listId, 'uploads');
    for (const { connectionId } of uploads) refuseOthers(list, connectionId);
    let { total } = list;
    try {
      await inSlices(
        clock,
        uploads,
        (slice) => store.transaction(slice),
        ({ bucket, key, uploadId, agreed }) => {
          const lockKey = lockKeyOf({ bucket, key, uploadId });
          if (items.ofFold(id, lockKey) !== null) return;
          items.put(id, newStalledItem({ seq: total, bucket, key, uploadId, agreed }), lockKey);
          total += 1;
          if (bucket !== list.bucket) list.bucket = '';
        },
      );
    } catch (thrown) {
      this.#forget(id);
      throw thrown;
    }
    list.total = total;
    return id;
  }

  #newList(id: string, of: List['of'], first: Pick<UploadRef, 'connectionId' | 'bucket' | 'key'>): List {
    const [oldest] = this.#lists.keys();
    if (this.#lists.size >= maxLists && oldest !== undefined) this.#forget(oldest);
    const { connectionId, bucket, key } = first;
    const list: List = { of, connectionId, bucket, key, total: 0, bytesTotal: 0 };
    this.#lists.set(id, list);
    return list;
  }

  #listOf(listId: string, of: List['of']): List {
    const list = this.#lists.get(listId);
    if (list?.of === of) return list;
    throw failure('not-found', 'This list of uploads no longer exists. Choose them again.', {
      reason: 'scan-gone',
      retry: 'after-fix',
    });
  }

  #forget(id: string): void {
    this.#lists.delete(id);
    this.#deps.items.clear(id);
  }
}

function refuseOthers(list: List, connectionId: string): void {
  if (connectionId !== list.connectionId)
    throw failure('invalid-argument', 'The uploads of one job must belong to one connection.');
}

function unseen(ref: UploadRef): AgreedUpload {
  return { ...ref, agreed: null };
}
