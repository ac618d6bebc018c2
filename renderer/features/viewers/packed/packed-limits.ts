/** More of a packed file is not unpacked: it would all have to stay in memory. */
export const maxDecompressedBytes = 32_000_000;
