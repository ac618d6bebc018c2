/** How big the objects of the bench are. */
export const sizeOf = (index: number): number => (index * 7919) % 1_000_003;
