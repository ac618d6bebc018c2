import { expect, test } from 'vitest';
import { tiffOf } from '../../../../electron/service/samples/tiff.ts';
import { oriented, type Pixels } from '../../../../renderer/features/viewers/image/worker/orientation.ts';
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
  const answer = decodeTiff(bytes, 0);
  if (answer.kind !== 'picture') throw new Error(answer.kind);
  expect(rowsOf(answer.picture).join(' ')).toBe(rows);
});
