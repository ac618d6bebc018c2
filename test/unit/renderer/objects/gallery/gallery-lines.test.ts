import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  galleryLines,
  gapPx,
  minTilePx,
  maxTilePx,
  sidePx,
} from '../../../../../renderer/features/objects/gallery/gallery-lines.ts';

const widths = fc.integer({ min: 0, max: 4000 });
const tiles = fc.integer({ min: minTilePx, max: maxTilePx });

test('a gallery line has as many tiles as fit, and at least one', () => {
  fc.assert(
    fc.property(widths, tiles, (widthPx, tilePx) => {
      const { perLine } = galleryLines(widthPx, tilePx);
      const roomPx = widthPx - 2 * sidePx;
      expect(perLine).toBeGreaterThanOrEqual(1);
      expect(perLine === 1 || perLine * (tilePx + gapPx) <= roomPx).toBe(true);
      expect((perLine + 1) * (tilePx + gapPx)).toBeGreaterThan(roomPx);
    }),
  );
});

test("the gallery's overscan covers the distance scrolled between two renders", () => {
  fc.assert(
    fc.property(widths, tiles, (widthPx, tilePx) => {
      const { grainPx, overscan, heightPx } = galleryLines(widthPx, tilePx);
      expect(grainPx).toBeLessThan(overscan * heightPx);
    }),
  );
});
