export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The EXIF orientations from 1 as matrices, column by column: the directions of the stored image's first and second axis (TIFF
 * 6.0, Orientation; EXIF has the same numbers).
 */
export const orientationAxes: readonly (readonly [a: number, b: number, c: number, d: number])[] = [
  [1, 0, 0, 1],
  [-1, 0, 0, 1],
  [-1, 0, 0, -1],
  [1, 0, 0, -1],
  [0, 1, 1, 0],
  [0, 1, -1, 0],
  [0, -1, -1, 0],
  [0, -1, 1, 0],
];

export interface Pixels extends Size {
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Turns and mirrors an image according to its orientation; 1 and unknown numbers leave it unchanged. */
export function oriented(stored: Pixels, orientation: number): Pixels {
  if (orientation === 1 || orientationAxes[orientation - 1] === undefined) return stored;
  const { width, height } = orientedSize(stored, orientation);
  const lastPixel = { width: stored.width - 1, height: stored.height - 1 };
  const [a, b, c, d, left, top] = orientationMatrix(orientation, lastPixel);
  const from = new Uint32Array(stored.rgba.buffer, stored.rgba.byteOffset, stored.width * stored.height);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < stored.height; y += 1)
    for (let x = 0; x < stored.width; x += 1)
      to[(b * x + d * y + top) * width + a * x + c * y + left] = from[y * stored.width + x] ?? 0;
  return { width, height, rgba: new Uint8ClampedArray(to.buffer) };
}

/** Returns the canvas transform for an image with this EXIF orientation (CIPA DC-008, 4.6.5.1). */
export function orientationMatrix(
  orientation: number,
  { width, height }: Size,
): readonly [number, number, number, number, number, number] {
  const [a, b, c, d] = orientationAxes[orientation - 1] ?? [1, 0, 0, 1];
  // An axis that points backwards begins at the other side.
  return [a, b, c, d, -Math.min(0, a * width + c * height), -Math.min(0, b * width + d * height)];
}

/** Returns true if width and height are swapped. */
export function isTurned(orientation: number): boolean {
  return orientation >= 5 && orientation <= 8;
}

/** Returns the size at which an image of this stored size is shown. */
export function orientedSize({ width, height }: Size, orientation: number): Size {
  return isTurned(orientation) ? { width: height, height: width } : { width, height };
}
