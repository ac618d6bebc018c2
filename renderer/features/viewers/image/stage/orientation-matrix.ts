import type { Size } from './zoom.ts';

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
