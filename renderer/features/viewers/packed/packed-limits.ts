/** Limit of decompressed content, which stays in memory. */
export const maxDecompressedBytes = 32 * 1024 * 1024;
