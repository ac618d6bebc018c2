import { expect, test } from 'vitest';
import { tabNames } from '../../../../../renderer/app/places/tab-names.ts';

const title = (...path: readonly string[]) => ({
  name: path.at(-1) ?? '',
  above: path.slice(0, -1).toReversed(),
});

test('tabs of different names keep them', () => {
  expect(tabNames([title('Lab', 'photos'), title('Lab', 'docs')])).toEqual(['photos', 'docs']);
});

test('tabs of the same name show the nearest name above that differs', () => {
  expect(
    tabNames([
      title('Lab', 'photos', '2026', 'june'),
      title('Lab', 'photos', '2025', 'june'),
      title('Lab', 'photos'),
    ]),
  ).toEqual(['june — 2026', 'june — 2025', 'photos']);
  expect(tabNames([title('Lab', 'a', '2026', 'june'), title('Lab', 'b', '2026', 'june')])).toEqual([
    'june — a',
    'june — b',
  ]);
  expect(tabNames([title('Lab', 'media'), title('AWS', 'media')])).toEqual(['media — Lab', 'media — AWS']);
});

test('the same place in two tabs keeps its name', () => {
  expect(tabNames([title('Lab', 'media'), title('Lab', 'media')])).toEqual(['media', 'media']);
});

test('a tab without a name above keeps its name', () => {
  expect(
    tabNames([
      { name: 'Start', above: [] },
      { name: 'Start', above: ['Lab'] },
    ]),
  ).toEqual(['Start', 'Start — Lab']);
});
