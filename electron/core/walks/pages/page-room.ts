import type { AtOnce } from '../../flow/slots.ts';

/** No measurement goes below this: a thread needs some pages on their way to it. */
const least = 8;
const most = 96;
/** With fewer pages waiting, the threads may soon have nothing to read. */
const fewWaiting = 3;
/** With more, further ones would only fill the memory. */
const manyWaiting = 8;

/**
 * How many pages may be on their way to the threads that read them. A service that answers quickly while the threads are behind
 * would be asked for ever more, and each page that waits holds its body. As in TCP Vegas the limit follows the queue, which lies in
 * this program and is counted.
 */
export class PageRoom implements AtOnce {
  readonly most = most;
  #limit = 16;

  get limit(): number {
    return this.#limit;
  }

  /** A page has come whole; so many wait for a thread, this one included. */
  came(waiting: number): void {
    if (waiting > manyWaiting) this.#limit = Math.max(least, this.#limit - 1);
    else if (waiting <= fewWaiting) this.#limit = Math.min(most, this.#limit + 1);
  }
}
