import type { SliceHash } from '../../disk/hash-messages.ts';
import { md5Lanes } from '../../disk/md5-module.ts';

/** The maximum number of bytes that are hashed together. They should still be in the page cache when they are sent. */
const maxTogetherBytes = 128 * 1024 * 1024;

export interface HashesAheadOptions<P> {
  /** The parts in the order in which they are sent. */
  readonly parts: readonly P[];
  /** True to hash parts before they are needed, so that several can be hashed side by side. */
  readonly isAhead: boolean;
  readonly hash: (part: P) => Promise<SliceHash>;
}

/**
 * Hashes parts in groups, some before they are sent. A thread hashes a group side by side in less than half of the processor time
 * that its parts take one by one. While the parts of a group are sent, the next group is hashed.
 */
export class HashesAhead<P extends { readonly partNumber: number; readonly sizeBytes: number }> {
  readonly #options: HashesAheadOptions<P>;
  readonly #indexes: ReadonlyMap<number, number>;
  readonly #hashing = new Map<number, Promise<SliceHash>>();
  /** The number of parts whose hash was requested. */
  #requested = 0;
  /** The index of the part whose send requests the next group. */
  #nextAt = 0;

  constructor(options: HashesAheadOptions<P>) {
    this.#options = options;
    this.#indexes = new Map(options.parts.map(({ partNumber }, index) => [partNumber, index]));
  }

  /** Returns the hash of a part. Each hash is used for one send, so a repeated send hashes the part again. */
  async of(part: P): Promise<SliceHash> {
    if (!this.#options.isAhead) return await this.again(part);
    const index = this.#indexes.get(part.partNumber) ?? -1;
    while (index >= this.#nextAt && this.#requested < this.#options.parts.length) this.#requestGroup();
    const hashing = this.#hashing.get(index);
    this.#hashing.delete(index);
    return await (hashing ?? this.again(part));
  }

  /** Hashes the part now. */
  async again(part: P): Promise<SliceHash> {
    return await this.#options.hash(part);
  }

  #requestGroup(): void {
    const { parts } = this.#options;
    const start = this.#requested;
    let bytes = 0;
    for (let end = start; end < parts.length && end - start < md5Lanes; end += 1) {
      const part = parts[end];
      if (part === undefined) break;
      bytes += part.sizeBytes;
      if (end > start && bytes > maxTogetherBytes) break;
      const hashing = this.again(part);
      // A part that is not sent, because another one failed, reports no error.
      hashing.catch(() => undefined);
      this.#hashing.set(end, hashing);
      this.#requested = end + 1;
    }
    this.#nextAt = start + Math.ceil((this.#requested - start) / 2);
  }
}
