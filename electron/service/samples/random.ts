import { createCipheriv, createHash } from 'node:crypto';

/** Returns a generator of numbers in [0, 1) from a seed. The same seed gives the same numbers on every computer. */
export function seededRandom(seed: string): () => number {
  let state = createHash('md5').update(seed).digest().readUInt32LE(0);
  // The generator mulberry32.
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns incompressible bytes; the same seed gives the same bytes. */
export function seededBytes(seed: string, sizeBytes: number): Buffer {
  const key = createHash('sha256').update(seed).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes));
}

export function pick<T>(random: () => number, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}
