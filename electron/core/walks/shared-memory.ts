/** A piece of memory that a thread may read while it is lent. */
export interface Lent {
  readonly buffer: SharedArrayBuffer;
}

const smallestBytes = 512 * 1024;
const maxKept = 24;

/**
 * Bodies of pages go to threads in memory that is used again and again: a million keys are 300 MB of pages, and what is
 * allocated for each would pile up before it is collected.
 */
export class SharedMemory {
  readonly #free: SharedArrayBuffer[] = [];

  lend(bytes: Uint8Array): Lent {
    const index = this.#free.findIndex((one) => one.byteLength >= bytes.byteLength);
    const buffer =
      index >= 0
        ? this.#free.splice(index, 1)[0]
        : new SharedArrayBuffer(Math.max(smallestBytes, 2 ** Math.ceil(Math.log2(bytes.byteLength + 1))));
    if (buffer === undefined) throw new RangeError('No memory to lend.');
    new Uint8Array(buffer).set(bytes);
    return { buffer };
  }

  giveBack(lent: Lent): void {
    // A service with huge pages is rare: what is larger than usual is not kept for ever.
    if (this.#free.length < maxKept && lent.buffer.byteLength <= 4 * smallestBytes)
      this.#free.push(lent.buffer);
  }
}
