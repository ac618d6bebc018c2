interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** What small files may hold in memory while they come and wait for the disk; who finds no room waits, in turn. */
export class MemoryBudget {
  readonly #mostBytes: number;
  #heldBytes = 0;
  #waiting: Waiting[] = [];

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Gives the way to give it back, once. More than there is in all is given when nobody else holds any. */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.length > 0 || !this.#hasRoom(bytes)) await this.#wait(bytes, signal);
    else this.#heldBytes += bytes;
    return () => {
      this.#heldBytes -= bytes;
      this.#next();
    };
  }

  #hasRoom(bytes: number): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.#mostBytes;
  }

  async #wait(bytes: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own: Waiting = { bytes, begin: resolve };
    this.#waiting.push(own);
    const onAbort = (): void => {
      const at = this.#waiting.indexOf(own);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason);
      this.#next();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #next(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && this.#hasRoom(next.bytes);
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#heldBytes += next.bytes;
      next.begin();
    }
  }
}
