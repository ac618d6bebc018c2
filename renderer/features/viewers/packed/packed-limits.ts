/** Limit of decompressed content, since all of it stays in memory. */
export const maxDecompressedBytes = 32 * 1024 * 1024;
