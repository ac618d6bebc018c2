type Position = readonly [x: number, y: number];

/**
 * Maps a pixel of the shown image to its position in the stored image of this width and height (TIFF 6.0, Orientation; EXIF has
 * the same numbers).
 */
const sources: Readonly<Record<number, (x: number, y: number, width: number, height: number) => Position>> = {
  2: (x, y, width) => [width - 1 - x, y],
  3: (x, y, width, height) => [width - 1 - x, height - 1 - y],
  4: (x, y, _width, height) => [x, height - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, _width, height) => [y, height - 1 - x],
  7: (x, y, width, height) => [width - 1 - y, height - 1 - x],
  8: (x, y, width) => [width - 1 - y, x],
};

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Turns and mirrors an image according to its orientation; 1 and unknown numbers leave it unchanged. */
export function oriented(stored: Pixels, orientation: number): Pixels {
  const sourceOf = sources[orientation];
  if (sourceOf === undefined) return stored;
  const isTurned = orientation >= 5;
  const width = isTurned ? stored.height : stored.width;
  const height = isTurned ? stored.width : stored.height;
  const from = new Uint32Array(stored.rgba.buffer, stored.rgba.byteOffset, stored.width * stored.height);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [fromX, fromY] = sourceOf(x, y, stored.width, stored.height);
      to[y * width + x] = from[fromY * stored.width + fromX] ?? 0;
    }
  return { width, height, rgba: new Uint8ClampedArray(to.buffer) };
}
