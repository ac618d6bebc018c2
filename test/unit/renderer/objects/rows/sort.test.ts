import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedRows, type SortInput } from '../../../../../renderer/features/objects/rows/sort.ts';

function inputOf(change: Partial<SortInput>, names: readonly string[]): SortInput {
  return {
    sort: { column: 'name', descending: false },
    foldersFirst: false,
    locale: 'en',
    isFolder: new Uint8Array(names.length),
    names,
    numbers: new Float64Array(),
    texts: [],
    ...change,
  };
}

const namesIn = (input: SortInput): string[] =>
  Array.from(sortedRows(input), (row) => input.names[row] ?? '?');

describe('sorting a folder', () => {
  it('orders numbers in names by value', () => {
    expect(namesIn(inputOf({}, ['img10', 'img9', 'Img1']))).toEqual(['Img1', 'img9', 'img10']);
  });

  it('puts folders first in both directions if configured', () => {
    const folders = { isFolder: Uint8Array.of(0, 1, 0), foldersFirst: true };
    expect(namesIn(inputOf(folders, ['a', 'm', 'z']))).toEqual(['m', 'a', 'z']);
    const down = { ...folders, sort: { column: 'name', descending: true } } as const;
    expect(namesIn(inputOf(down, ['a', 'm', 'z']))).toEqual(['m', 'z', 'a']);
    expect(namesIn(inputOf({ ...folders, foldersFirst: false }, ['a', 'm', 'z']))).toEqual(['a', 'm', 'z']);
  });

  it('sorts by size, then by name, with unknown sizes as the smallest', () => {
    const numbers = Float64Array.of(5, Number.NaN, 5, 1);
    const up = inputOf({ sort: { column: 'size', descending: false }, numbers }, ['b', 'x', 'a', 'c']);
    expect(namesIn(up)).toEqual(['x', 'c', 'a', 'b']);
    const down = inputOf({ sort: { column: 'size', descending: true }, numbers }, ['b', 'x', 'a', 'c']);
    expect(namesIn(down)).toEqual(['a', 'b', 'c', 'x']);
  });

  it('loses and adds no row for any rows and order', () => {
    const row = fc.record({ name: fc.string(), size: fc.double(), folder: fc.boolean() });
    const column = fc.constantFrom('name', 'size', 'modified', 'storageClass', 'type', 'etag');
    fc.assert(
      fc.property(
        fc.array(row),
        column,
        fc.boolean(),
        fc.boolean(),
        (rows, column, descending, foldersFirst) => {
          const sorted = sortedRows({
            sort: { column, descending },
            foldersFirst,
            locale: 'en',
            isFolder: Uint8Array.from(rows, ({ folder }) => (folder ? 1 : 0)),
            names: rows.map(({ name }) => name),
            numbers: Float64Array.from(rows, ({ size }) => size),
            texts: rows.map(() => 'STANDARD'),
          });
          expect(Array.from(sorted).toSorted((a, b) => a - b)).toEqual(rows.map((_, at) => at));
        },
      ),
    );
  });
});
