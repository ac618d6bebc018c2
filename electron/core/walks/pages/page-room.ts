import type { AtOnce } from '../../flow/slots.ts';

/** Minimum limit: a thread needs some pages queued. */
const least = 8;
const maxPages = 96;
/** If at some moment of a round no more than these wait, the threads may soon be idle. */
const fewWaiting = 1;
/** If more pages than this wait throughout a round, further ones would only use memory. */
const manyWaiting = 4;
const growth = 1.5;
const shrinkage = 0.85;

/**
 * Limits the pages in flight to the threads that parse them. Otherwise a service that responds faster than they parse would fill
 * the memory: each waiting page holds its body. As in TCP Vegas, the limit follows the queue length, which is counted here. Only
 * a queue that never drains shrinks the limit: pages of a distant service arrive in bursts, and the threads would be idle in
 * between.
 */
export class PageRoom implements AtOnce {
  readonly maxLimit = maxPages;
  #limit = 16;
  /** Pages in this round. A round has as many pages as the limit allows in flight. */
  #pages = 0;
  #minWaiting = Number.POSITIVE_INFINITY;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Records that a page was parsed and how many still wait. */
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
