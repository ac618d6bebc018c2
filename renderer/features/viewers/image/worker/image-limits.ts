/** Limit of drawn pixels: each takes four bytes of memory. */
export const mostPixels = 100_000_000;
