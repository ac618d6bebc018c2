import { DamagedReport } from './report-rows.ts';

/**
 * The maximum ratio of decompressed to compressed size. Rows of a real report expand 10 to 50 times; gzip allows 1000, and
 * Parquet's encodings far more. The rows of one message are in memory at once, so this limits memory too.
 */
const maxTimesPacked = 250;
/** The decompressed size in bytes that is always allowed, because a small report may be very regular. */
const alwaysAllowedBytes = 16 * 1024 * 1024;

/** Limits the decompressed size of a data file relative to the compressed bytes read so far. */
export class UnpackLimit {
  #unpackedBytes = 0;

  /** Adds decompressed bytes. Throws DamagedReport above the limit. */
  add(unpackedBytes: number, packedBytes: number): void {
    this.#unpackedBytes += unpackedBytes;
    const allowed = Math.max(alwaysAllowedBytes, packedBytes * maxTimesPacked);
    if (!(this.#unpackedBytes <= allowed))
      throw new DamagedReport(
        `its ${packedBytes} compressed bytes unpack to more than ${allowed}, as no real report does`,
      );
  }
}
