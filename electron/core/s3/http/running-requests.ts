/**
 * Aborts the requests of a client on the caller's signal, and when the client is closed. Combines each caller's signal only once,
 * because that costs as much as signing, and each `AbortSignal.any` leaves a weak reference. (200,000 files with one signal took
 * 200 MB more.)
 */
export class RunningRequests {
  readonly #closing = new AbortController();
  readonly #known = new WeakMap<AbortSignal, AbortSignal>();

  /** Returns a signal that aborts with the caller's signal and when the client is closed. */
  signalFor(caller: AbortSignal | undefined): AbortSignal {
    if (caller === undefined) return this.#closing.signal;
    const known = this.#known.get(caller);
    if (known !== undefined) return known;
    const signal = AbortSignal.any([caller, this.#closing.signal]);
    this.#known.set(caller, signal);
    return signal;
  }

  /** Aborts all requests, including those that start later. */
  abort(): void {
    this.#closing.abort();
  }
}
