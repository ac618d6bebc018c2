import { failure } from '../../../shared/errors.ts';
import type { Placed, PlaceRequest } from './hash-messages.ts';

/** Files in one message. */
const mostFiles = 16;
/** While one batch waits for the disk, the next is written. */
const mostBatches = 2;

interface Waiting {
  readonly request: PlaceRequest;
  readonly signal: AbortSignal;
  readonly resolve: (isPlaced: boolean) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Small files on their way to the threads: those that come while all batches are under way go together. */
export class PlaceQueue {
  readonly #place: (files: readonly PlaceRequest[]) => Promise<readonly Placed[]>;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(place: (files: readonly PlaceRequest[]) => Promise<readonly Placed[]>) {
    this.#place = place;
  }

  /** False: the name is taken. Rejects with the system's own code. What is stopped while it waits is not begun. */
  async place(request: PlaceRequest, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ request, signal, resolve, reject });
    // What comes in the same turn of the loop goes together.
    queueMicrotask(() => this.#next());
    return await promise;
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#underWay < mostBatches) {
      const batch = this.#waiting.slice(0, mostFiles);
      this.#waiting = this.#waiting.slice(mostFiles);
      void this.#run(batch);
    }
  }

  async #run(all: readonly Waiting[]): Promise<void> {
    const batch = all.filter((one) => {
      if (one.signal.aborted) one.reject(one.signal.reason);
      return !one.signal.aborted;
    });
    if (batch.length === 0) return;
    this.#underWay += 1;
    try {
      const placed = await this.#place(batch.map(({ request }) => request));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = placed[index];
        if (result === undefined) reject(failure('internal', 'A thread answered another question.'));
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
