/** The memory of a chunk, where it may be given back. An empty one is left alone: undici's is one for all of its connections. */
export function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer | null {
  return byteLength > 0 && buffer instanceof ArrayBuffer ? buffer : null;
}

/**
 * The memory of chunks that came from a socket and were copied. It is outside the heap, so that a collection is not hurried by
 * it: a walk over a million keys reads 300 MB, of which 40 would always be waiting for the next one.
 */
export class UsedMemory {
  readonly #buffers = new Set<ArrayBuffer>();

  add(chunk: Uint8Array): void {
    const memory = memoryOf(chunk);
    if (memory !== null) this.#buffers.add(memory);
  }

  /** Releases the buffers. Call it after the response has ended, when the parser no longer reads them. */
  free(): void {
    for (const buffer of this.#buffers) {
      try {
        buffer.transfer(0);
      } catch {
        // Node's pool of small buffers cannot be taken away; others are in there, too.
      }
    }
    this.#buffers.clear();
  }
}
