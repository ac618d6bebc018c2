/** Maximum estimated effort of drawing, counted in plain elements. More would block the window for seconds. */
export const maxSvgWork = 100_000;
/** Maximum nesting of SVG images inside SVG images. */
export const maxPictureLayers = 3;

/** Drawing costs, in plain elements. */
export const svgWeights = {
  /** Per primitive: a filter processes all pixels of its area. */
  filter: 50,
  heavyFilter: 300,
  /** A picture, mask, pattern or clip: a layer that is drawn and composed. */
  layer: 5,
  /** Characters of a path or text per element. */
  pathBytes: 300,
  picturePixelsPerElement: 10_000,
  /** An animated drawing is redrawn repeatedly. */
  animation: 4,
} as const;
