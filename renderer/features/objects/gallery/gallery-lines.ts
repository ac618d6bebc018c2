import type { Lines } from '../views/use-viewport.ts';

/** Space between tiles, half of it on each side of a tile. */
export const gapPx = 16;
/** Space before the first and after the last tile of a line. */
export const sidePx = 12;
/** Height of the name and the facts below a picture. */
const captionPx = 46;
/** Space around the picture, within the tile. */
const paddingPx = 8;
/** Height of a picture divided by its width. */
const pictureRatio = 0.75;

/** The permitted widths of a tile. */
export const minTilePx = 96;
export const maxTilePx = 320;
export const tileStepPx = 16;
export const usualTilePx = 160;

/** Lays out as many tiles of about this width as fit, and divides the remaining width between them. */
export function galleryLines(widthPx: number, tilePx: number): Lines {
  const roomPx = Math.max(0, widthPx - 2 * sidePx);
  const perLine = Math.max(1, Math.floor(roomPx / (tilePx + gapPx)));
  const heightPx = pictureHeightPx(tilePx) + captionPx + 2 * paddingPx + gapPx;
  return { perLine, heightPx, headerPx: 0, grainPx: Math.floor(heightPx / 2), overscan: 2 };
}

export function pictureHeightPx(tilePx: number): number {
  return Math.round(tilePx * pictureRatio);
}
