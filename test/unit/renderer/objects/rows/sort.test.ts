import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { sortedRows, type SortInput } from '../../../../../renderer/features/objects/rows/sort.ts';

type NamedInput = Omit<SortInput, 'names'> & { readonly names: readonly string[] };

function inputOf(change: Partial<Omit<SortInput, 'names'>>, names: readonly string[]): NamedInput {
  return {
    sort: { column: 'name', descending: false },
    foldersFirst: false,
    locale: 'en',
    isFolder: new Uint8Array(names.length),
    numbers: new Float64Array(),
    texts: [],
    ...change,
    names,
  };
}

const sorted = (input: NamedInput): readonly number[] =>
  Array.from(sortedRows({ ...input, names: () => input.names }));

const namesIn = (input: NamedInput): string[] => sorted(input).map((row) => input.names[row] ?? '?');

/** Returns the rows' numbers sorted by comparing every pair, which is slow but plain. */
function comparedRows(input: NamedInput): readonly number[] {
  const { sort, isFolder, numbers, texts, names } = input;
  const collator = new Intl.Collator('en', { numeric: true });
  const direction = sort.descending ? -1 : 1;
  const size = (row: number): number => {
    const number = numbers[row] ?? Number.NaN;
    return Number.isNaN(number) ? -1 : number;
  };
  const byColumn = (a: number, b: number): number => {
    if (sort.column === 'name') return 0;
    if (sort.column === 'size' || sort.column === 'modified') return size(a) - size(b);
    return collator.compare(texts[a] ?? '', texts[b] ?? '');
  };
  return names
    .map((_, row) => row)
    .toSorted((a, b) => {
      const kinds = input.foldersFirst ? (isFolder[b] ?? 0) - (isFolder[a] ?? 0) : 0;
      const named = collator.compare(names[a] ?? '', names[b] ?? '');
      const orders = [
        kinds,
        direction * byColumn(a, b),
        sort.column === 'name' ? direction * named : named,
        a - b,
      ];
      return orders.find((order) => order !== 0) ?? 0;
    });
}

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

  it('reads no name if all values differ, since unpacking names takes longer than sorting', () => {
    const names = vi.fn<() => readonly string[]>();
    const numbers = Float64Array.of(3, 1, 2);
    const input = inputOf({ sort: { column: 'size', descending: false }, numbers }, ['a', 'b', 'c']);
    expect(Array.from(sortedRows({ ...input, names }))).toEqual([1, 2, 0]);
    expect(names).not.toHaveBeenCalled();
  });

  it('is that of a comparison of kind, value, name and place, for any rows and order', () => {
    const row = fc.record({
      name: fc.stringMatching(/^[a-b]{0,2}\d{0,2}$/u),
      size: fc.oneof(fc.constant(Number.NaN), fc.nat(3), fc.maxSafeNat()),
      text: fc.constantFrom('', 'b', 'a', 'á', 'a01', 'a1'),
      folder: fc.boolean(),
    });
    const column = fc.constantFrom('name', 'size', 'modified', 'storageClass', 'type', 'etag');
    fc.assert(
      fc.property(
        fc.array(row),
        column,
        fc.boolean(),
        fc.boolean(),
        (rows, column, descending, foldersFirst) => {
          const input = {
            sort: { column, descending },
            foldersFirst,
            locale: 'en',
            isFolder: Uint8Array.from(rows, ({ folder }) => (folder ? 1 : 0)),
            names: rows.map(({ name }) => name),
            numbers: Float64Array.from(rows, ({ size }) => size),
            texts: rows.map(({ text }) => text),
          };
          expect(sorted(input)).toEqual(comparedRows(input));
        },
      ),
    );
  });
});
