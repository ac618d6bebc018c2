import { DamagedReport } from './report-rows.ts';

/**
 * The rows of a real report unpack to some 10 to 50 times their size; gzip allows 1000, and the encodings of Parquet far more.
 * The rows of one message are in memory at once, so this bounds the memory too.
 */
const maxTimesPacked = 250;
/** Always allowed, because a small report may be very regular. */
const alwaysAllowedBytes = 16 * 1024 * 1024;

/** Limits the decompressed size of a data file, in proportion to the compressed bytes read so far. */
export class UnpackLimit {
  #unpackedBytes = 0;

  /** Counts unpacked bytes. Throws DamagedReport above the limit. */
  add(unpackedBytes: number, packedBytes: number): void {
    this.#unpackedBytes += unpackedBytes;
    const allowed = Math.max(alwaysAllowedBytes, packedBytes * maxTimesPacked);
    if (!(this.#unpackedBytes <= allowed))
      throw new DamagedReport(
        `its ${packedBytes} compressed bytes unpack to more than ${allowed}, as no real report does`,
      );
  }
}
