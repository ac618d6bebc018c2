/** A call whose result several callers await. It is aborted once every caller has aborted. */
export class SharedCall<T> {
  readonly #ending = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#result = start(this.#ending.signal);
    // A failure is reported to the callers, of which each may have aborted.
    this.#result.catch(() => undefined);
  }

  get isAborted(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Returns the result. Throws the signal's reason if it aborts first, or what the call throws. */
  async join(signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    this.#callers += 1;
    if (signal === undefined) return await this.#result;
    return await new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        this.#callers -= 1;
        if (this.#callers === 0) this.#ending.abort(signal.reason);
        reject(signal.reason);
      };
      const stay = (): void => {
        signal.removeEventListener('abort', leave);
      };
      signal.addEventListener('abort', leave, { once: true });
      void this.#result.then(resolve, reject).finally(stay);
    });
  }
}
