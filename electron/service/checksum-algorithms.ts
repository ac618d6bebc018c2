import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assertNever } from '../../shared/assert-never.ts';

export const checksumAlgorithms = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];
/** Checksums in Base64, by algorithm. */
export type Checksums = Readonly<Partial<Record<ChecksumAlgorithm, string>>>;

export const checksumElements: Readonly<Record<ChecksumAlgorithm, string>> = {
  crc32: 'ChecksumCRC32',
  crc32c: 'ChecksumCRC32C',
  crc64nvme: 'ChecksumCRC64NVME',
  sha1: 'ChecksumSHA1',
  sha256: 'ChecksumSHA256',
};

export const checksumSizes: Readonly<Record<ChecksumAlgorithm, number>> = {
  crc32: 4,
  crc32c: 4,
  crc64nvme: 8,
  sha1: 20,
  sha256: 32,
};

export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** Returns the digest's bytes, big-endian. May be called only once. */
  digest(): Buffer;
}

/** Starts a checksum that gets its data in pieces. */
export function runningChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'crc32': {
      let value = 0;
      return {
        update: (bytes) => {
          value = crc32(bytes, value);
        },
        digest: () => bigEndian(value),
      };
    }
    case 'crc32c':
      return runningCrc32c();
    case 'crc64nvme':
      return runningCrc64();
    case 'sha1':
    case 'sha256': {
      const hash = createHash(algorithm);
      return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest() };
    }
    default:
      return assertNever(algorithm);
  }
}

/** Returns the algorithm with this name in any letter case; null if there is none. */
export function parseChecksumAlgorithm(text: string): ChecksumAlgorithm | null {
  const lower = text.toLowerCase();
  return checksumAlgorithms.find((algorithm) => algorithm === lower) ?? null;
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** The table of CRC-32C (Castagnoli), bits reflected. */
const castagnoli = lazyTable(() => {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let value = n;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f6_3b78 : value >>> 1;
    table[n] = value >>> 0;
  }
  return table;
});

function runningCrc32c(): RunningChecksum {
  const table = castagnoli();
  let value = 0xffff_ffff;
  return {
    update: (bytes) => {
      let current = value;
      for (let i = 0; i < bytes.length; i++) {
        current = (table[(current ^ (bytes[i] ?? 0)) & 0xff] ?? 0) ^ (current >>> 8);
      }
      value = current;
    },
    digest: () => bigEndian(~value),
  };
}

/**
 * The table of CRC-64/NVME, polynomial 0x9A6C9329AC4BC9B5, bits reflected. It is split into two halves, because numbers are much
 * faster than bigint.
 */
const nvme = lazyTable(() => {
  const high = new Uint32Array(256);
  const low = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let hi = 0;
    let lo = n;
    for (let bit = 0; bit < 8; bit++) {
      const carry = lo & 1;
      lo = (lo >>> 1) | ((hi & 1) << 31);
      hi >>>= 1;
      if (carry) {
        hi ^= 0x9a6c_9329;
        lo ^= 0xac4b_c9b5;
      }
    }
    high[n] = hi >>> 0;
    low[n] = lo >>> 0;
  }
  return { high, low };
});

function runningCrc64(): RunningChecksum {
  const { high, low } = nvme();
  let hi = 0xffff_ffff;
  let lo = 0xffff_ffff;
  return {
    update: (bytes) => {
      for (let i = 0; i < bytes.length; i++) {
        const index = (lo ^ (bytes[i] ?? 0)) & 0xff;
        lo = ((lo >>> 8) | ((hi & 0xff) << 24)) ^ (low[index] ?? 0);
        hi = (hi >>> 8) ^ (high[index] ?? 0);
      }
    },
    digest: () => Buffer.concat([bigEndian(~hi), bigEndian(~lo)]),
  };
}

function lazyTable<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
