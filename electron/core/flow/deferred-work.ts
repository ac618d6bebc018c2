/** Runs work that continues while the next items start. Limits the number of items and their bytes. */
export class DeferredWork {
  readonly #maxItems: number;
  readonly #maxBytes: number;
  #items = 0;
  #bytes = 0;
  readonly #ended = new Waiters();
  readonly #failures: unknown[] = [];

  constructor(maxItems: number, maxBytes: number) {
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  /** Starts the work at once. Resolves when more work may start. */
  async begin(heldBytes: number, work: () => Promise<void>): Promise<void> {
    void this.#run(heldBytes, work);
    await this.#until(() => this.#hasRoom());
  }

  /** Resolves when all work has ended. Rejects with the first failure. */
  async idle(): Promise<void> {
    await this.#until(() => this.#items === 0);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #run(heldBytes: number, work: () => Promise<void>): Promise<void> {
    this.#items += 1;
    this.#bytes += heldBytes;
    try {
      await work();
    } catch (thrown) {
      this.#failures.push(thrown);
    } finally {
      this.#items -= 1;
      this.#bytes -= heldBytes;
      if (this.#hasRoom()) this.#ended.wake();
    }
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#ended.wait();
  }

  #hasRoom(): boolean {
    return this.#items < this.#maxItems && this.#bytes < this.#maxBytes;
  }
}

/** Callers that wait for any change. After waking, each one must check its own condition. */
export class Waiters {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Resolves at the next change of the source, or when the signal aborts. */
export function nextChange(
  source: { onChange(listener: () => void): () => void },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      end();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const end = source.onChange(done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
