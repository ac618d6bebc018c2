import type { AtOnce } from '../../flow/slots.ts';

/** The minimum number of pages in flight, because a thread needs some queued pages. */
const least = 8;
const maxPages = 96;
/** The limit grows if the queue was this short at any time during a round, because the threads may then be idle. */
const fewWaiting = 1;
/** The limit shrinks if the queue was longer than this during a whole round, because more pages only use memory. */
const manyWaiting = 4;
const growth = 1.5;
const shrinkage = 0.85;

/**
 * Limits the pages in flight to what the parsing threads can handle. Each waiting page holds its body, so a service faster than
 * the threads would fill the memory. As in TCP Vegas, the limit follows the queue length, which is counted here. Only a queue
 * that never drains shrinks the limit, because pages of a distant service arrive in bursts and the threads would be idle in
 * between.
 */
export class PageRoom implements AtOnce {
  readonly maxLimit = maxPages;
  #limit = 16;
  /** The number of pages parsed in this round. A round ends after as many pages as the limit. */
  #pages = 0;
  #minWaiting = Number.POSITIVE_INFINITY;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Records that a page was parsed while `waiting` pages were queued. Adjusts the limit at the end of a round. */
  read(waiting: number): void {
    this.#minWaiting = Math.min(this.#minWaiting, waiting);
    this.#pages += 1;
    if (this.#pages < this.#limit) return;
    if (this.#minWaiting > manyWaiting) this.#limit = Math.max(least, this.#limit * shrinkage);
    else if (this.#minWaiting <= fewWaiting) this.#limit = Math.min(maxPages, this.#limit * growth);
    this.#pages = 0;
    this.#minWaiting = Number.POSITIVE_INFINITY;
  }
}
