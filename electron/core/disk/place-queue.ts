import type { Clock } from '../ports.ts';
import { mixedUp, type Placed, type PlaceRequest } from './hash-messages.ts';

export interface PlaceQueueOptions {
  readonly place: (files: readonly PlaceRequest[]) => Promise<readonly Placed[]>;
  /** In one batch. */
  readonly mostFiles: number;
  /** Null: a batch begins with what is there. Else so long is between the beginnings of two that are not full. */
  readonly collect: { readonly clock: Clock; readonly ms: number } | null;
}

/** While one batch waits for the disk, the next is written. */
const mostBatches = 2;
/** A batch is full with so many, too. */
const mostBytes = 4 * 1024 * 1024;

interface Waiting {
  readonly request: PlaceRequest;
  readonly signal: AbortSignal;
  readonly resolve: (isPlaced: boolean) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Small files on their way to the threads: those that come while others are under way go together. */
export class PlaceQueue {
  readonly #options: PlaceQueueOptions;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #underWay = 0;
  #isCollecting = false;

  constructor(options: PlaceQueueOptions) {
    this.#options = options;
  }

  /** False: the name is taken. Rejects with the system's own code. What is stopped while it waits is not begun. */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ request, signal, resolve, reject });
    this.#waitingBytes += request.bytes.byteLength;
    // What comes in the same turn of the loop goes together.
    queueMicrotask(() => this.#next());
    return await promise;
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#underWay < mostBatches && this.#mayBegin()) {
      const batch = this.#takeBatch().filter((one) => {
        if (one.signal.aborted) one.reject(one.signal.reason);
        return !one.signal.aborted;
      });
      if (batch.length === 0) continue;
      this.#collect();
      void this.#run(batch);
    }
  }

  #mayBegin(): boolean {
    return (
      !this.#isCollecting ||
      this.#waiting.length >= this.#options.mostFiles ||
      this.#waitingBytes >= mostBytes
    );
  }

  #collect(): void {
    const { collect } = this.#options;
    if (collect === null || this.#isCollecting) return;
    this.#isCollecting = true;
    const over = (): void => {
      this.#isCollecting = false;
      this.#next();
    };
    void collect.clock.sleep(collect.ms).then(over, over);
  }

  #takeBatch(): readonly Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const { request } of this.#waiting) {
      if (count === this.#options.mostFiles || bytes >= mostBytes) break;
      count += 1;
      bytes += request.bytes.byteLength;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#underWay += 1;
    try {
      const placed = await this.#options.place(batch.map(({ request }) => request));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = placed[index];
        if (result === undefined) reject(mixedUp());
        else if ('isTaken' in result) resolve(!result.isTaken);
        else reject(Object.assign(new Error(result.message), { code: result.code ?? 'UNKNOWN' }));
      }
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }
}
