import type { AtOnce } from '../../flow/limits.ts';

/** The minimum number of pages in flight, because a thread needs some queued pages. */
const minPages = 8;
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
    if (this.#minWaiting > manyWaiting) this.#limit = Math.max(minPages, this.#limit * shrinkage);
    else if (this.#minWaiting <= fewWaiting) this.#limit = Math.min(maxPages, this.#limit * growth);
    this.#pages = 0;
    this.#minWaiting = Number.POSITIVE_INFINITY;
  }
}

/** The maximum number of pages whose rows wait to be stored. When it is reached, the listing pauses. */
const maxWaitingWrites = 24;

/** The writes of a walk's pages to its table or map. */
export class PageWrites {
  /** Limits the pages in flight while storing their rows is slow. */
  readonly pages = new PageRoom();
  readonly #onWritten: () => void;
  #waiting = 0;
  #room: PromiseWithResolvers<void> | null = null;
  #all: Promise<unknown> = Promise.resolve();
  #failure: { readonly thrown: unknown } | null = null;

  constructor(onWritten: () => void) {
    this.#onWritten = onWritten;
  }

  add(write: Promise<unknown>): void {
    this.#waiting += 1;
    const before = this.#all;
    const done = write.finally(() => {
      this.#waiting -= 1;
      if (this.#waiting < maxWaitingWrites) {
        this.#room?.resolve();
        this.#room = null;
      }
      this.#onWritten();
    });
    this.#all = Promise.all([before, done]).then(() => undefined);
    // The rejection is thrown where it is awaited: in `haveRoom` and `all`.
    this.#all.catch((thrown: unknown) => {
      this.#failure ??= { thrown };
    });
  }

  /** Adjusts the limit of pages in flight to the number of waiting writes. */
  adjust(): void {
    this.pages.read(this.#waiting);
  }

  /** Resolves once all writes so far have ended. Throws if one failed, for example because the disk is full. */
  async all(): Promise<void> {
    await this.#all;
  }

  /** Waits until more pages may be written. Throws if a write failed. */
  async haveRoom(): Promise<void> {
    if (this.#failure !== null) throw this.#failure.thrown;
    if (this.#waiting < maxWaitingWrites) return;
    this.#room ??= Promise.withResolvers<void>();
    await Promise.race([this.#room.promise, this.#all]);
  }
}

/** Shared memory that threads may read until it is returned. Its number is never used for other memory. */
export interface LentMemory {
  readonly number: number;
  readonly buffer: SharedArrayBuffer;
  /** True if the memory will be reused. Threads then keep it under its number. */
  readonly isReusable: boolean;
}

const minBlockBytes = 384 * 1024;
/** The maximum number of memory blocks to keep. It is above the usual number of pages in flight. */
const maxReusableBlocks = 48;

/**
 * Reuses the memory in which page bodies are sent to threads. A million keys are 300 MB of pages; memory allocated for each page
 * would accumulate until it is collected.
 */
export class SharedMemory {
  readonly #free: LentMemory[] = [];
  #next = 1;
  #kept = 0;

  lend(sizeBytes = minBlockBytes): LentMemory {
    const index = this.#free.findLastIndex(({ buffer }) => buffer.byteLength >= sizeBytes);
    const known = index >= 0 ? this.#free.splice(index, 1)[0] : undefined;
    if (known !== undefined) return known;
    const bytes = Math.max(minBlockBytes, sizeBytes);
    // Memory for an unusually large page is not kept, because few services send such pages.
    const isReusable = bytes <= 4 * minBlockBytes && this.#kept < maxReusableBlocks;
    if (isReusable) this.#kept += 1;
    const lent = { number: this.#next, buffer: new SharedArrayBuffer(bytes), isReusable };
    this.#next += 1;
    return lent;
  }

  /** Returns larger memory that starts with the first `usedBytes` of `lent`, and gives `lent` back. */
  grow(lent: LentMemory, usedBytes: number, neededBytes: number): LentMemory {
    const larger = this.lend(2 ** Math.ceil(Math.log2(neededBytes + 1)));
    new Uint8Array(larger.buffer).set(new Uint8Array(lent.buffer, 0, usedBytes));
    this.giveBack(lent);
    return larger;
  }

  giveBack(lent: LentMemory): void {
    if (lent.isReusable) this.#free.push(lent);
  }
}
