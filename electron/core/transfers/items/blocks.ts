/**
 * The size of a block in bytes: small enough to be hashed while it is in the CPU cache, large enough to be worth a message to a
 * thread.
 */
export const blockBytes = 512 * 1024;

/**
 * A pool of memory blocks that are passed between this thread and the writer threads. Blocks are transferred, not shared, because
 * V8 copies into shared memory much more slowly.
 */
export class Blocks {
  readonly #free: Uint8Array<ArrayBuffer>[] = [];
  readonly #waiting: ((block: Uint8Array<ArrayBuffer>) => void)[] = [];
  readonly #sizeBytes: number;
  #toMake: number;
  #isFreed = false;

  /** Creates a pool for this number of parallel downloads. Each fills one block while its other blocks are written. */
  constructor(receivers: number, largestBytes: number) {
    this.#toMake = receivers * 3;
    this.#sizeBytes = Math.max(1, Math.min(blockBytes, largestBytes));
  }

  take(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#toMake > 0) {
      this.#toMake -= 1;
      return this.#make();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Returns a block to the pool. Null means that the block was lost with a failed thread; a new block replaces it. */
  give(memory: ArrayBuffer | null): void {
    if (this.#isFreed) {
      memory?.transfer(0);
      return;
    }
    const block = memory === null ? this.#make() : new Uint8Array(memory);
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(block);
    else next(block);
  }

  /**
   * Frees all unused blocks at once. They are outside the V8 heap and trigger no garbage collection, so memory would grow with
   * each download.
   */
  free(): void {
    this.#isFreed = true;
    for (const { buffer } of this.#free.splice(0)) buffer.transfer(0);
  }

  #make(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#sizeBytes);
  }
}
