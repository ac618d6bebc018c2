/** Shared memory that threads may read until it is returned. Its number is never used for other memory. */
export interface LentMemory {
  readonly number: number;
  readonly buffer: SharedArrayBuffer;
  /** True if the memory will be reused. Threads then keep it under its number. */
  readonly isKept: boolean;
}

const smallestBytes = 384 * 1024;
/** The maximum number of memory blocks to keep. It is above the usual number of pages in flight (page-room.ts). */
const maxKept = 48;

/**
 * Reuses the memory in which page bodies are sent to threads. A million keys are 300 MB of pages; memory allocated for each page
 * would accumulate until it is collected.
 */
export class SharedMemory {
  readonly #free: LentMemory[] = [];
  #next = 1;
  #kept = 0;

  lend(sizeBytes = smallestBytes): LentMemory {
    const index = this.#free.findLastIndex(({ buffer }) => buffer.byteLength >= sizeBytes);
    const known = index >= 0 ? this.#free.splice(index, 1)[0] : undefined;
    if (known !== undefined) return known;
    const bytes = Math.max(smallestBytes, sizeBytes);
    // Memory for an unusually large page is not kept, because few services send such pages.
    const isKept = bytes <= 4 * smallestBytes && this.#kept < maxKept;
    if (isKept) this.#kept += 1;
    const lent = { number: this.#next, buffer: new SharedArrayBuffer(bytes), isKept };
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
    if (lent.isKept) this.#free.push(lent);
  }
}
