/** What is collected and sent, and how many may go at once. */
export interface BatchOptions<T, R> {
  readonly size: number;
  readonly atOnce: number;
  /** One result for each, in their order. */
  readonly send: (entries: readonly T[]) => Promise<readonly R[]>;
}

interface Waiting<T, R> {
  readonly entry: T;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Collects what many workers ask for one by one into few requests. A request goes out when it is full, or when nobody
 * has anything to add and none is under way.
 */
export class Batches<T, R> {
  readonly #options: BatchOptions<T, R>;
  #waiting: Waiting<T, R>[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(options: BatchOptions<T, R>) {
    this.#options = options;
  }

  add(entry: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#schedule();
    });
  }

  /** Once all who can are heard. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendDue();
    });
  }

  #sendDue(): void {
    const { size, atOnce } = this.#options;
    while (this.#waiting.length > 0 && this.#underWay < atOnce) {
      // A small one waits for those whose answers are on their way: their workers ask again at once.
      if (this.#waiting.length < size && this.#underWay > 0) return;
      const batch = this.#waiting.slice(0, size);
      this.#waiting = this.#waiting.slice(size);
      void this.#send(batch);
    }
  }

  async #send(batch: readonly Waiting<T, R>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const results = await this.#options.send(batch.map(({ entry }) => entry));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        if (result === undefined) waiting.reject(new Error('A batch came back with too few results.'));
        else waiting.resolve(result);
      }
    } catch (thrown) {
      for (const waiting of batch) waiting.reject(thrown);
    } finally {
      this.#underWay -= 1;
      this.#schedule();
    }
  }
}
