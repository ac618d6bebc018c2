import type { AtOnce } from '../../flow/slots.ts';

/** No measurement goes below this: a thread needs some pages on their way to it. */
const least = 8;
const most = 96;
/** As long as no more than these wait at some moment of a round, the threads may soon have nothing to read. */
const fewWaiting = 1;
/** Where more than these wait in every moment of a round, further ones would only fill the memory. */
const manyWaiting = 4;
const growth = 1.5;
const shrinkage = 0.85;

/**
 * How many pages may be on their way to the threads that read them. A service that answers more quickly than they read would be asked
 * for ever more, and each page that waits holds its body. As in TCP Vegas the limit follows the queue, which lies in this program and
 * is counted. Only what never drains counts: pages of a distant service come in bursts, and between them the threads would be idle.
 */
export class PageRoom implements AtOnce {
  readonly most = most;
  #limit = 16;
  /** Of this round: as many pages as the limit allows at once. */
  #pages = 0;
  #fewest = Number.POSITIVE_INFINITY;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** A page was read; so many still wait. */
  read(waiting: number): void {
    this.#fewest = Math.min(this.#fewest, waiting);
    this.#pages += 1;
    if (this.#pages < this.#limit) return;
    if (this.#fewest > manyWaiting) this.#limit = Math.max(least, this.#limit * shrinkage);
    else if (this.#fewest <= fewWaiting) this.#limit = Math.min(most, this.#limit * growth);
    this.#pages = 0;
    this.#fewest = Number.POSITIVE_INFINITY;
  }
}
