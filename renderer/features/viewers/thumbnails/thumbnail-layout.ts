import type { Size } from '../image/parts/orientation.ts';

/** The longer side of a thumbnail, in its own pixels. */
export const thumbnailEdgePx = 400;
/** Limit of pixels decoded for a thumbnail. Each pixel takes four bytes of memory, in each worker. */
export const maxThumbnailPixels = 50_000_000;
/** Limit of pixels in an embedded thumbnail. The thumbnails that cameras embed are far smaller. */
export const maxEmbeddedPixels = 4_000_000;

/** Returns the size at which an image is drawn. Images are never enlarged. */
export function thumbnailSize({ width, height }: Size): Size {
  const scale = Math.min(1, thumbnailEdgePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export interface Crop extends Size {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the part of an embedded thumbnail between its black bars. Cameras add bars to a 4:3 thumbnail of an image with another
 * shape.
 */
export function withoutBars(embedded: Size, image: Size | null): Crop {
  const whole = { x: 0, y: 0, width: embedded.width, height: embedded.height };
  if (image === null || image.width < 1 || image.height < 1) return whole;
  const imageRatio = image.width / image.height;
  const embeddedRatio = embedded.width / embedded.height;
  // Rounding alone causes a difference of one or two percent.
  if (Math.abs(imageRatio / embeddedRatio - 1) < 0.03) return whole;
  // Keeps a thumbnail whole if its shape is too different: it is already rotated, or shows something else.
  if (imageRatio / embeddedRatio > 1.8 || imageRatio / embeddedRatio < 0.55) return whole;
  if (imageRatio > embeddedRatio) {
    const height = Math.round(embedded.width / imageRatio);
    return { ...whole, height, y: Math.round((embedded.height - height) / 2) };
  }
  const width = Math.round(embedded.height * imageRatio);
  return { ...whole, width, x: Math.round((embedded.width - width) / 2) };
}
