/** An image of more pixels is not drawn: four bytes of each are in memory. */
export const mostPixels = 100_000_000;
