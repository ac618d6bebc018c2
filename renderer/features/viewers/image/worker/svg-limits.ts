/** Maximum estimated effort of drawing, counted in plain elements. More would block the window for seconds. */
export const maxSvgWork = 100_000;
/** Maximum nesting of SVG images inside SVG images. */
export const maxPictureLayers = 3;

/** Drawing costs, in plain elements. */
export const svgWeights = {
  /** The cost per filter primitive, which processes all pixels in the area of the filter. */
  filter: 50,
  heavyFilter: 300,
  /** The cost of a layer that is drawn and composed: a picture, mask, pattern or clip. */
  layer: 5,
  /** Characters of a path or text per element. */
  pathBytes: 300,
  picturePixelsPerElement: 10_000,
  /** An animated drawing is redrawn repeatedly. */
  animation: 4,
} as const;
