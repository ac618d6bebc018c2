/** A drawing that takes more work, in elements, would keep the window busy for seconds. */
export const maxSvgWork = 100_000;
/** Drawings inside pictures of drawings. */
export const maxPictureLayers = 3;

/** Drawing costs, in plain elements. */
export const svgWeights = {
  /** Per primitive: it goes over all pixels of its area. */
  filter: 50,
  heavyFilter: 300,
  /** A picture, mask, pattern or clip: a layer that is drawn and composed. */
  layer: 5,
  /** Characters of a path or text per element. */
  pathBytes: 300,
  picturePixelsPerElement: 10_000,
  /** A drawing that moves is drawn again and again. */
  animation: 4,
} as const;
