import { failure, type AppError } from '../../../shared/errors.ts';
import type { CompletionRequest, UploadRef } from '../../../shared/models/uploads.ts';
import { inSlices } from '../flow/slices.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { lockKeyOf } from '../multipart/upload-job.ts';
import type { Clock, Random } from '../ports.ts';
import type { ItemStore } from '../transfers/items/item-store.ts';
import {
  newStalledItem,
  uploadsTransfer,
  type kindsOfUploads,
  type StalledItem,
} from '../transfers/items/transfer-job.ts';

interface Created {
  readonly jobIds: string[];
  readonly refused: { readonly ref: UploadRef; readonly error: AppError }[];
}

export interface ManyUploadsDeps {
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly items: ItemStore;
  readonly clock: Clock;
  readonly random: Random;
  /** What makes the job of a single upload. */
  readonly single: {
    abort(refs: readonly UploadRef[]): Promise<Created>;
    complete(requests: readonly CompletionRequest[]): Promise<Created>;
  };
}

interface List {
  readonly connectionId: string;
  readonly key: string;
  /** '': of several buckets. */
  bucket: string;
  total: number;
}

type Wish = UploadRef & { readonly agreed: StalledItem['agreed'] };

/** Lists that no job has begun: more of them than windows are open are forgotten. */
const mostLists = 8;

/** Jobs of many unfinished uploads: each is one job, whose items are written down before it. */
export class ManyUploads {
  readonly #deps: ManyUploadsDeps;
  readonly #lists = new Map<string, List>();

  constructor(deps: ManyUploadsDeps) {
    this.#deps = deps;
  }

  /** Writes uploads down for a job that begins later. */
  async collect(refs: readonly UploadRef[], listId: string | null): Promise<{ listId: string }> {
    return { listId: await this.#add(refs.map(unseen), listId) };
  }

  /** Only because the user said so. */
  async abort(refs: readonly UploadRef[], listId: string | null): Promise<Created> {
    if (refs.length === 1 && listId === null) return await this.#deps.single.abort(refs);
    return await this.#begin('abort-many', refs.map(unseen), listId);
  }

  /** Completes what needs no question; the rest are items that failed, with their reasons. */
  async completeWhole(refs: readonly UploadRef[], listId: string | null): Promise<Created> {
    return await this.#begin('complete-many', refs.map(unseen), listId);
  }

  /** Completes each as the user has seen it. */
  async complete(requests: readonly CompletionRequest[]): Promise<Created> {
    if (requests.length === 1) return await this.#deps.single.complete(requests);
    const wishes = requests.map(({ ref, ...agreed }): Wish => ({ ...ref, agreed }));
    return await this.#begin('complete-many', wishes, null);
  }

  async #begin(
    kind: (typeof kindsOfUploads)[number],
    wishes: readonly Wish[],
    listId: string | null,
  ): Promise<Created> {
    const id = await this.#add(wishes, listId);
    const list = this.#listOf(id);
    const { connectionId, bucket, key, total } = list;
    const seed = { id, nowMs: this.#deps.clock.nowMs(), connectionId, bucket, prefix: '', name: key };
    this.#deps.jobs.submit(uploadsTransfer(kind, seed, total));
    this.#lists.delete(id);
    return { jobIds: [id], refused: [] };
  }

  /** The job itself comes last: a crash before leaves rows that belong to none, which are swept. */
  async #add(wishes: readonly Wish[], listId: string | null): Promise<string> {
    const { items, store, clock } = this.#deps;
    const { id, list } = listId === null ? this.#newList(wishes) : { id: listId, list: this.#listOf(listId) };
    if (wishes.some(({ connectionId }) => connectionId !== list.connectionId))
      throw failure('invalid-argument', 'The uploads of one job belong to one connection.');
    let { total } = list;
    try {
      await inSlices(
        clock,
        wishes,
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

  #newList(wishes: readonly Wish[]): { readonly id: string; readonly list: List } {
    const [first] = wishes;
    if (first === undefined) throw failure('invalid-argument', 'There are no uploads.');
    const [oldest] = this.#lists.keys();
    if (this.#lists.size >= mostLists && oldest !== undefined) this.#forget(oldest);
    const id = this.#deps.random.id();
    const { connectionId, bucket, key } = first;
    const list = { connectionId, bucket, key, total: 0 };
    this.#lists.set(id, list);
    return { id, list };
  }

  #listOf(listId: string): List {
    const list = this.#lists.get(listId);
    if (list !== undefined) return list;
    throw failure('not-found', 'This list of uploads is not there any more. Choose them again.', {
      reason: 'scan-gone',
      retry: 'after-fix',
    });
  }

  #forget(id: string): void {
    this.#lists.delete(id);
    this.#deps.items.clear(id);
  }
}

function unseen(ref: UploadRef): Wish {
  return { ...ref, agreed: null };
}
