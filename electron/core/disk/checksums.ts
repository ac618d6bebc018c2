import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A checksum that grows with the bytes, as the service writes it: Base64 of the big-endian value. */
export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  digest(): string;
}

/** The five algorithms of x-amz-checksum-*. */
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
    case 'crc32c': {
      let value = -1;
      return {
        update: (bytes) => {
          for (const byte of bytes) value = (value >>> 8) ^ (crc32cTable[(value ^ byte) & 0xff] ?? 0);
        },
        digest: () => base64Of([~value >>> 0]),
      };
    }
    case 'crc64nvme':
      return crc64Nvme();
    default:
      return algorithm satisfies never;
  }
}

/** x-amz-checksum-algorithm as the service names it (CRC32C) to the name used here; null for what is not known. */
export function checksumAlgorithmOf(name: string | null): ChecksumAlgorithm | null {
  switch (name?.toUpperCase()) {
    case 'CRC32':
      return 'crc32';
    case 'CRC32C':
      return 'crc32c';
    case 'CRC64NVME':
      return 'crc64nvme';
    case 'SHA1':
      return 'sha1';
    case 'SHA256':
      return 'sha256';
    case undefined:
    default:
      return null;
  }
}

function base64Of(words: readonly number[]): string {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, index * 4);
  return bytes.toString('base64');
}

/** Castagnoli, reflected. */
const crc32cTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** CRC-64/NVME, reflected: 0x9a6c9329ac4bc9b5, in two halves, since bitwise operators hold 32 bits. */
const crc64Low = new Int32Array(256);
const crc64High = new Int32Array(256);
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

function crc64Nvme(): RunningChecksum {
  let low = -1;
  let high = -1;
  return {
    update: (bytes) => {
      for (const byte of bytes) {
        const index = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (crc64Low[index] ?? 0);
        high = (high >>> 8) ^ (crc64High[index] ?? 0);
      }
    },
    digest: () => base64Of([~high, ~low]),
  };
}

export type ChecksumAlgorithm = 'crc32' | 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256';

/** The names of the checksum elements and headers: crc32, crc32c, crc64nvme, sha1, sha256 -> Base64. */
export type PartChecksums = Readonly<Partial<Record<ChecksumAlgorithm, string>>>;
