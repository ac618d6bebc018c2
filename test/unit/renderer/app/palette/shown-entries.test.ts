import { expect, test } from 'vitest';
import { entryMovedTo, shownOf } from '../../../../../renderer/app/palette/shown-entries.ts';
import { unmarked } from '../../../../../renderer/app/palette/palette-match.ts';

const entry = (id: string) => unmarked({ id, kind: 'name' as const, label: id, run: () => undefined });

test('groups without entries are left out, and positions count through the whole list', () => {
  const shown = shownOf([
    { name: null, matches: [] },
    { name: 'a', matches: [entry('1'), entry('2')] },
    { name: 'b', matches: [entry('3')] },
  ]);
  expect(shown.map(({ name, first }) => [name, first])).toEqual([
    ['a', 0],
    ['b', 2],
  ]);
});

test('arrow keys wrap around, even if nothing is selected yet', () => {
  expect(entryMovedTo('ArrowDown', -1, 3)).toBe(0);
  expect(entryMovedTo('ArrowUp', -1, 3)).toBe(2);
  expect(entryMovedTo('ArrowDown', 2, 3)).toBe(0);
  expect(entryMovedTo('ArrowUp', 0, 3)).toBe(2);
  expect(entryMovedTo('ArrowDown', 0, 0)).toBeNull();
  expect(entryMovedTo('a', 0, 3)).toBeNull();
});
