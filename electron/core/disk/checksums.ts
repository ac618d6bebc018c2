import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const checksumNames = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const;

export type ChecksumAlgorithm = (typeof checksumNames)[number];

/** An incremental checksum in the form that the service uses: Base64 of the big-endian value. */
export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  digest(): string;
}

/** Starts one of the five algorithms of x-amz-checksum-*. */
export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'sha1':
    case 'sha256': {
      const hash = createHash(algorithm);
      return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('base64') };
    }
    case 'crc32': {
      let value = 0;
      return {
        update: (bytes) => {
          value = crc32(bytes, value);
        },
        digest: () => base64Of([value]),
      };
    }
    case 'crc32c':
      return crc32c();
    case 'crc64nvme':
      return crc64Nvme();
    default:
      return algorithm satisfies never;
  }
}

/** Returns the checksum of bytes in memory, in Base64. */
export function checksumOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array): string {
  const checksum = startChecksum(algorithm);
  checksum.update(bytes);
  return checksum.digest();
}

/** Maps a value of x-amz-checksum-algorithm (CRC32C) to the name used here; null if unknown. */
export function checksumAlgorithmOf(name: string | null): ChecksumAlgorithm | null {
  return checksumNames.find((known) => known.toUpperCase() === name?.toUpperCase()) ?? null;
}

function base64Of(words: readonly number[]): string {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, index * 4);
  return bytes.toString('base64');
}

/**
 * Eight consecutive tables of 256 entries. Table k contains, for each byte, its contribution to a checksum with k bytes after it.
 * So eight bytes need eight look-ups and no loop ("slicing by 8", Kounavis and Berry, 2005).
 */
const tables = 8;

/** The table of the Castagnoli polynomial, bits reflected. */
const crc32cTable = new Int32Array(tables * 256);
for (let index = 0; index < 256; index += 1) {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  crc32cTable[index] = value;
}
for (let index = 256; index < tables * 256; index += 1) {
  const before = crc32cTable[index - 256] ?? 0;
  crc32cTable[index] = (before >>> 8) ^ (crc32cTable[before & 0xff] ?? 0);
}

function crc32c(): RunningChecksum {
  const table = crc32cTable;
  let value = -1;
  return {
    update: (bytes) => {
      let crc = value;
      let at = unaligned(bytes);
      for (let index = 0; index < at; index += 1)
        crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0);
      const words = wordsFrom(bytes, at);
      for (let index = 0; index < words.length; index += 2) {
        crc ^= words[index] ?? 0;
        const next = words[index + 1] ?? 0;
        crc =
          (table[0x700 + (crc & 0xff)] ?? 0) ^
          (table[0x600 + ((crc >>> 8) & 0xff)] ?? 0) ^
          (table[0x500 + ((crc >>> 16) & 0xff)] ?? 0) ^
          (table[0x400 + (crc >>> 24)] ?? 0) ^
          (table[0x300 + (next & 0xff)] ?? 0) ^
          (table[0x200 + ((next >>> 8) & 0xff)] ?? 0) ^
          (table[0x100 + ((next >>> 16) & 0xff)] ?? 0) ^
          (table[next >>> 24] ?? 0);
      }
      at += words.byteLength;
      for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
      value = crc;
    },
    digest: () => base64Of([~value >>> 0]),
  };
}

/** Returns the number of bytes before the first word that is aligned in memory. */
function unaligned(bytes: Uint8Array): number {
  return Math.min(-bytes.byteOffset & 3, bytes.length);
}

const noWords = new Int32Array(0);

/** Returns the bytes as pairs of words, which are read three times as fast. All systems that Node supports are little-endian. */
function wordsFrom(bytes: Uint8Array, at: number): Int32Array {
  const pairs = (bytes.length - at) >>> 3;
  return pairs === 0 ? noWords : new Int32Array(bytes.buffer, bytes.byteOffset + at, pairs * 2);
}

/**
 * The table of CRC-64/NVME, polynomial 0x9a6c9329ac4bc9b5, bits reflected. Split into two halves, because bitwise operators have
 * 32 bits.
 */
const crc64Low = new Int32Array(tables * 256);
const crc64High = new Int32Array(tables * 256);
for (let index = 0; index < 256; index += 1) {
  let low = index;
  let high = 0;
  for (let bit = 0; bit < 8; bit += 1) {
    const carry = low & 1;
    low = (low >>> 1) | ((high & 1) << 31);
    high >>>= 1;
    if (carry === 1) {
      low ^= 0xac4bc9b5;
      high ^= 0x9a6c9329;
    }
  }
  crc64Low[index] = low;
  crc64High[index] = high;
}
for (let index = 256; index < tables * 256; index += 1) {
  const low = crc64Low[index - 256] ?? 0;
  const high = crc64High[index - 256] ?? 0;
  crc64Low[index] = ((low >>> 8) | (high << 24)) ^ (crc64Low[low & 0xff] ?? 0);
  crc64High[index] = (high >>> 8) ^ (crc64High[low & 0xff] ?? 0);
}

function crc64Nvme(): RunningChecksum {
  const lows = crc64Low;
  const highs = crc64High;
  let low = -1;
  let high = -1;
  const addByte = (byte: number): void => {
    const index = (low ^ byte) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (lows[index] ?? 0);
    high = (high >>> 8) ^ (highs[index] ?? 0);
  };
  return {
    update: (bytes) => {
      let at = unaligned(bytes);
      for (let index = 0; index < at; index += 1) addByte(bytes[index] ?? 0);
      const words = wordsFrom(bytes, at);
      for (let index = 0; index < words.length; index += 2) {
        low ^= words[index] ?? 0;
        high ^= words[index + 1] ?? 0;
        const a = 0x700 + (low & 0xff);
        const b = 0x600 + ((low >>> 8) & 0xff);
        const c = 0x500 + ((low >>> 16) & 0xff);
        const d = 0x400 + (low >>> 24);
        const e = 0x300 + (high & 0xff);
        const f = 0x200 + ((high >>> 8) & 0xff);
        const g = 0x100 + ((high >>> 16) & 0xff);
        const h = high >>> 24;
        low =
          (lows[a] ?? 0) ^
          (lows[b] ?? 0) ^
          (lows[c] ?? 0) ^
          (lows[d] ?? 0) ^
          (lows[e] ?? 0) ^
          (lows[f] ?? 0) ^
          (lows[g] ?? 0) ^
          (lows[h] ?? 0);
        high =
          (highs[a] ?? 0) ^
          (highs[b] ?? 0) ^
          (highs[c] ?? 0) ^
          (highs[d] ?? 0) ^
          (highs[e] ?? 0) ^
          (highs[f] ?? 0) ^
          (highs[g] ?? 0) ^
          (highs[h] ?? 0);
      }
      at += words.byteLength;
      for (; at < bytes.length; at += 1) addByte(bytes[at] ?? 0);
    },
    digest: () => base64Of([~high, ~low]),
  };
}

/** The checksums in Base64 by the names in elements and headers: crc32, crc32c, crc64nvme, sha1, sha256. */
export type PartChecksums = Readonly<Partial<Record<ChecksumAlgorithm, string>>>;
