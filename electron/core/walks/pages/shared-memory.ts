/** A piece of memory that threads may read while it is lent. Its number is never given to another one. */
export interface Lent {
  readonly number: number;
  readonly buffer: SharedArrayBuffer;
  /** It will be lent again: threads remember it by its number. */
  readonly isKept: boolean;
}

const smallestBytes = 384 * 1024;
/** More than pages are usually on their way (page-room.ts). */
const maxKept = 48;

/**
 * Bodies of pages go to threads in memory that is used again and again: a million keys are 300 MB of pages, and what is
 * allocated for each would pile up before it is collected.
 */
export class SharedMemory {
  readonly #free: Lent[] = [];
  #next = 1;
  #kept = 0;

  lend(sizeBytes = smallestBytes): Lent {
    const index = this.#free.findLastIndex(({ buffer }) => buffer.byteLength >= sizeBytes);
    const known = index >= 0 ? this.#free.splice(index, 1)[0] : undefined;
    if (known !== undefined) return known;
    const bytes = Math.max(smallestBytes, sizeBytes);
    // A service with huge pages is rare: what is larger than usual is not kept for ever.
    const isKept = bytes <= 4 * smallestBytes && this.#kept < maxKept;
    if (isKept) this.#kept += 1;
    const lent = { number: this.#next, buffer: new SharedArrayBuffer(bytes), isKept };
    this.#next += 1;
    return lent;
  }

  /** Twice as much, with what the first `usedBytes` held. */
  grow(lent: Lent, usedBytes: number, neededBytes: number): Lent {
    const larger = this.lend(2 ** Math.ceil(Math.log2(neededBytes + 1)));
    new Uint8Array(larger.buffer).set(new Uint8Array(lent.buffer, 0, usedBytes));
    this.giveBack(lent);
    return larger;
  }

  giveBack(lent: Lent): void {
    if (lent.isKept) this.#free.push(lent);
  }
}
