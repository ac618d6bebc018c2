/** Limit of decompressed content, since all of it stays in memory. */
export const maxDecompressedBytes = 32_000_000;
