import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tiffOf } from '../../../../electron/service/samples/sample-files.ts';
import {
  isTurned,
  orientationMatrix,
  oriented,
  type Pixels,
} from '../../../../renderer/features/viewers/image/parts/orientation.ts';
import { decodeTiff } from '../../../../renderer/features/viewers/image/worker/tiff.ts';

/** Three pixels across and two down: a b c, d e f. */
const stored: Pixels = {
  width: 3,
  height: 2,
  rgba: new Uint8ClampedArray(Array.from('abcdef').flatMap((letter) => [letter.charCodeAt(0), 0, 0, 255])),
};

function rowsOf({ width, rgba }: Pixels): readonly string[] {
  const letters = Array.from({ length: rgba.length / 4 }, (_, at) => String.fromCharCode(rgba[at * 4] ?? 0));
  return Array.from({ length: letters.length / width }, (_, row) =>
    letters.slice(row * width, (row + 1) * width).join(''),
  );
}

const shown = [
  [1, 'abc def'],
  [2, 'cba fed'],
  [3, 'fed cba'],
  [4, 'def abc'],
  [5, 'ad be cf'],
  [6, 'da eb fc'],
  [7, 'fc eb da'],
  [8, 'cf be ad'],
  [0, 'abc def'],
  [9, 'abc def'],
] as const;

test.each(shown)('an image with orientation %i is shown as %j', (orientation, rows) => {
  expect(rowsOf(oriented(stored, orientation)).join(' ')).toBe(rows);
});

test.each(shown)('a TIFF with orientation %i is shown as %j', (orientation, rows) => {
  const rgb = Uint8Array.from(Array.from('abcdef').flatMap((letter) => [letter.charCodeAt(0), 0, 0]));
  const bytes = Uint8Array.from(tiffOf([{ width: 3, height: 2, rgb, orientation }]));
  const response = decodeTiff(bytes, 0);
  if (response.kind !== 'picture') throw new Error(response.kind);
  expect(rowsOf(response.picture).join(' ')).toBe(rows);
});

const edge = fc.integer({ min: 1, max: 30_000 });

describe('the transform of an orientation', () => {
  test('fills the canvas exactly for every value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), edge, edge, (orientation, width, height) => {
        const [a, b, c, d, e, f] = orientationMatrix(orientation, { width, height });
        const at = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f] as const;
        const corners = [at(0, 0), at(width, 0), at(0, height), at(width, height)];
        const [across, down] = isTurned(orientation) ? [height, width] : [width, height];
        for (const axis of [0, 1] as const) {
          const places = corners.map((corner) => corner[axis]);
          expect(Math.min(...places)).toBe(0);
          expect(Math.max(...places)).toBe(axis === 0 ? across : down);
        }
      }),
    );
  });

  test('6 moves the left edge of the file to the top', () => {
    const [a, b, c, d, e, f] = orientationMatrix(6, { width: 4, height: 3 });
    const at = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f];
    expect(at(0, 3)).toEqual([0, 0]);
    expect(at(0, 0)).toEqual([3, 0]);
  });
});
