/** Limit of drawn pixels: each takes four bytes of memory. */
export const maxPixels = 100_000_000;
