/** Makes at most a number of calls at once. The others wait, in the order in which they were requested. */
export class CallLimit {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Makes the call once a slot is free. Throws the signal's reason, without a call, if aborted before. */
  async run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#inFlight < this.#max) this.#inFlight += 1;
    // A call that ends passes its slot on, so that `#inFlight` stays the same.
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    try {
      signal.throwIfAborted();
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inFlight -= 1;
      else next();
    }
  }
}
