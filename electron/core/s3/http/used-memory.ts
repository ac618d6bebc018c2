/** Returns a chunk's memory if it may be freed. Skips empty chunks: undici shares one between all connections. */
export function memoryOf({ buffer, byteLength }: Uint8Array): ArrayBuffer | null {
  return byteLength > 0 && buffer instanceof ArrayBuffer ? buffer : null;
}

/**
 * Frees the memory of chunks that were received and copied. It is outside the heap and does not trigger the GC. A walk over a
 * million keys reads 300 MB, of which 40 MB would always await collection.
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
        // Node's pool of small buffers cannot be detached, since other buffers share it.
      }
    }
    this.#buffers.clear();
  }
}
