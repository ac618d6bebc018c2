import type { Lines } from '../views/use-viewport.ts';

/** Between the tiles, half of it on each of their sides. */
export const gapPx = 16;
/** Space before the first and after the last tile of a line. */
export const sidePx = 12;
/** The name and what else is said below a picture. */
const captionPx = 46;
/** Around the picture, within the tile. */
const paddingPx = 8;
/** The height of a picture for its width. */
const pictureRatio = 0.75;

/** The widths that a tile may have. */
export const leastTilePx = 96;
export const mostTilePx = 320;
export const tileStepPx = 16;
export const usualTilePx = 160;

/** How tiles of about this width lie in a gallery: as many as fit, and they share what is left over. */
export function galleryLines(widthPx: number, tilePx: number): Lines {
  const roomPx = Math.max(0, widthPx - 2 * sidePx);
  const perLine = Math.max(1, Math.floor(roomPx / (tilePx + gapPx)));
  const heightPx = pictureHeightPx(tilePx) + captionPx + 2 * paddingPx + gapPx;
  return { perLine, heightPx, headerPx: 0, grainPx: Math.floor(heightPx / 2), overscan: 2 };
}

export function pictureHeightPx(tilePx: number): number {
  return Math.round(tilePx * pictureRatio);
}
