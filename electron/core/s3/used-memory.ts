/**
 * The memory of chunks that came from a socket and were copied. It lies outside the heap, so that a collection is not hurried by
 * it: a walk over a million keys reads 300 MB, of which 40 would always be waiting for the next one.
 */
export class UsedMemory {
  readonly #buffers = new Set<ArrayBuffer>();

  /** An empty chunk is left alone: undici's is one for all of its connections. */
  add(chunk: Uint8Array): void {
    if (chunk.byteLength > 0 && chunk.buffer instanceof ArrayBuffer) this.#buffers.add(chunk.buffer);
  }

  /** When the answer has ended, and with it the parser's own use of what came. */
  free(): void {
    for (const buffer of this.#buffers) {
      try {
        buffer.transfer(0);
      } catch {
        // Node's pool of small buffers cannot be taken away; others lie in there, too.
      }
    }
    this.#buffers.clear();
  }
}
