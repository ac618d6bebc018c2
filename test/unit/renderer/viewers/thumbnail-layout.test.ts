import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  thumbnailEdgePx,
  thumbnailSize,
  withoutBars,
} from '../../../../renderer/features/viewers/thumbnails/thumbnail-layout.ts';
import {
  thumbnailHeadBytes,
  thumbnailPolicy,
} from '../../../../renderer/features/viewers/thumbnails/thumbnail-policy.ts';

const edges = fc.integer({ min: 1, max: 30_000 });

describe('the size of a thumbnail', () => {
  it('is within the maximum edge, at least 1, and never larger than the image', () => {
    fc.assert(
      fc.property(edges, edges, (width, height) => {
        const size = thumbnailSize({ width, height });
        expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(thumbnailEdgePx);
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1);
        expect(size.width).toBeLessThanOrEqual(width);
        expect(size.height).toBeLessThanOrEqual(height);
      }),
    );
  });
});

describe("the camera's black bars around a thumbnail", () => {
  it('are cropped from a 4:3 thumbnail of a 3:2 image', () => {
    expect(withoutBars({ width: 160, height: 120 }, { width: 6000, height: 4000 })).toEqual({
      x: 0,
      y: 7,
      width: 160,
      height: 107,
    });
  });

  it('are not cropped if the ratios agree or differ by far', () => {
    const whole = { x: 0, y: 0, width: 160, height: 120 };
    expect(withoutBars({ width: 160, height: 120 }, { width: 4032, height: 3024 })).toEqual(whole);
    expect(withoutBars({ width: 160, height: 120 }, { width: 3024, height: 8064 })).toEqual(whole);
    expect(withoutBars({ width: 160, height: 120 }, null)).toEqual(whole);
  });

  it('are never outside the thumbnail', () => {
    fc.assert(
      fc.property(edges, edges, edges, edges, (width, height, w, h) => {
        const crop = withoutBars({ width, height }, { width: w, height: h });
        expect(crop.x).toBeGreaterThanOrEqual(0);
        expect(crop.y).toBeGreaterThanOrEqual(0);
        expect(crop.x + crop.width).toBeLessThanOrEqual(width);
        expect(crop.y + crop.height).toBeLessThanOrEqual(height);
      }),
    );
  });
});

describe('a thumbnail is offered', () => {
  const row = {
    key: 'a/Photo.JPG',
    sizeBytes: 10 * thumbnailHeadBytes,
    etag: '"1"',
    storageClass: 'STANDARD',
  };
  const of = (change: Partial<typeof row>, imageBytes = 5e6) =>
    thumbnailPolicy({ ...row, ...change }, imageBytes);

  it('for images by name, unless thumbnails are turned off', () => {
    expect(of({})).toBe('makes');
    expect(of({ key: 'a/notes.txt' })).toBe('none');
    expect(of({ key: 'jpg' })).toBe('none');
    expect(of({ key: 'jpg.d/notes' })).toBe('none');
    expect(of({ sizeBytes: 0 })).toBe('none');
    expect(of({}, 0)).toBe('none');
  });

  it('only on request if reading is charged or the object archived', () => {
    for (const storageClass of ['COLD', 'ICE', 'STANDARD_IA', 'GLACIER_IR', 'NEARLINE'])
      expect(of({ storageClass })).toBe('paid');
    for (const storageClass of ['GLACIER', 'DEEP_ARCHIVE']) expect(of({ storageClass })).toBe('archived');
    expect(of({ storageClass: 'INTELLIGENT_TIERING' })).toBe('makes');
  });
});
