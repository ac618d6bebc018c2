import { expect, test } from 'vitest';
import { fittingName } from '../../../../renderer/features/map/draw.ts';

/** Measures each character as 10 px wide. */
const measure = (text: string): number => text.length * 10;

test.each([
  ['report.pdf', 100, 'report.pdf'],
  ['holiday in the mountains 0042.jpeg', 200, 'holiday in…0042.jpeg'],
  ['holiday in the mountains 0042.jpeg', 100, 'holiday i…'],
  ['holiday in the mountains 0042.jpeg', 70, 'holida…'],
  ['holiday in the mountains 0042.jpeg', 60, ''],
  ['photos', 30, ''],
] as const)('a map writes %s in %i px as "%s"', (name, roomPx, shown) => {
  expect(fittingName(measure, name, roomPx)).toBe(shown);
});
