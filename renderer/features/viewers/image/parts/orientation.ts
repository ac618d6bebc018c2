export interface Size {
  readonly width: number;
  readonly height: number;
}

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

export interface Pixels extends Size {
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Turns and mirrors an image according to its orientation; 1 and unknown numbers leave it unchanged. */
export function oriented(stored: Pixels, orientation: number): Pixels {
  const sourceOf = sources[orientation];
  if (sourceOf === undefined) return stored;
  const { width, height } = orientedSize(stored, orientation);
  const from = new Uint32Array(stored.rgba.buffer, stored.rgba.byteOffset, stored.width * stored.height);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [fromX, fromY] = sourceOf(x, y, stored.width, stored.height);
      to[y * width + x] = from[fromY * stored.width + fromX] ?? 0;
    }
  return { width, height, rgba: new Uint8ClampedArray(to.buffer) };
}

/** Returns the canvas transform for an image with this EXIF orientation (CIPA DC-008, 4.6.5.1). */
export function orientationMatrix(
  orientation: number,
  { width, height }: Size,
): readonly [number, number, number, number, number, number] {
  switch (orientation) {
    case 2:
      return [-1, 0, 0, 1, width, 0];
    case 3:
      return [-1, 0, 0, -1, width, height];
    case 4:
      return [1, 0, 0, -1, 0, height];
    case 5:
      return [0, 1, 1, 0, 0, 0];
    case 6:
      return [0, 1, -1, 0, height, 0];
    case 7:
      return [0, -1, -1, 0, height, width];
    case 8:
      return [0, -1, 1, 0, 0, width];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

/** Returns true if width and height are swapped. */
export function isTurned(orientation: number): boolean {
  return orientation >= 5 && orientation <= 8;
}

/** Returns the size at which an image of this stored size is shown. */
export function orientedSize({ width, height }: Size, orientation: number): Size {
  return isTurned(orientation) ? { width: height, height: width } : { width, height };
}
