import type { ChecksumAlgorithm } from './checksums.ts';

export type CrcAlgorithm = Exclude<ChecksumAlgorithm, 'sha1' | 'sha256'>;

interface Crc {
  readonly bits: bigint;
  /** The polynomial with reversed bits, as in the checksums. */
  readonly polynomial: bigint;
}

const crcs: Readonly<Record<CrcAlgorithm, Crc>> = {
  crc32: { bits: 32n, polynomial: 0xedb8_8320n },
  crc32c: { bits: 32n, polynomial: 0x82f6_3b78n },
  crc64nvme: { bits: 64n, polynomial: 0x9a6c_9329_ac4b_c9b5n },
};

/** A piece of an object with its checksum in Base64; null if unknown. */
export interface SummedPiece {
  readonly sizeBytes: number;
  readonly checksum: string | null;
}

/**
 * Returns the checksum of consecutive pieces in Base64, without reading their bytes. Returns null if a piece has none, and for
 * SHA-1 and SHA-256, which cannot be combined.
 */
export function combineChecksums(
  algorithm: ChecksumAlgorithm,
  pieces: readonly SummedPiece[],
): string | null {
  if (algorithm === 'sha1' || algorithm === 'sha256') return null;
  let whole: Buffer | null = null;
  for (const { sizeBytes, checksum } of pieces) {
    if (checksum === null) return null;
    const bytes = Buffer.from(checksum, 'base64');
    whole = whole === null ? bytes : combineCrcs(algorithm, whole, bytes, sizeBytes);
  }
  return whole?.toString('base64') ?? null;
}

/**
 * Returns the CRC of two concatenated byte sequences, from the CRC of each and the length of the second. Multiplies the first by
 * x^(8 * length) modulo the polynomial, so the cost does not depend on the size of the object.
 */
export function combineCrcs(
  algorithm: CrcAlgorithm,
  first: Uint8Array,
  second: Uint8Array,
  secondBytes: number,
): Buffer {
  const crc = crcs[algorithm];
  const shifted = multiply(crc, power(crc, BigInt(secondBytes)), toNumber(first));
  const hex = (shifted ^ toNumber(second)).toString(16).padStart(Number(crc.bits / 4n), '0');
  return Buffer.from(hex, 'hex');
}

/** Returns x^(8 * count) modulo the polynomial. The highest bit is the coefficient of x^0. */
function power(crc: Crc, count: bigint): bigint {
  let result = 1n << (crc.bits - 1n);
  let square = 1n << (crc.bits - 9n);
  for (let left = count; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = multiply(crc, square, result);
    square = multiply(crc, square, square);
  }
  return result;
}

function multiply({ bits, polynomial }: Crc, a: bigint, b: bigint): bigint {
  let product = 0n;
  let factor = b;
  for (let bit = 1n << (bits - 1n); bit > 0n; bit >>= 1n) {
    if ((a & bit) !== 0n) product ^= factor;
    factor = (factor & 1n) === 1n ? (factor >> 1n) ^ polynomial : factor >> 1n;
  }
  return product;
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
