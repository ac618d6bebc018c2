import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderedRows, maxWholeList } from '../../../../../renderer/ui/table/rendered-rows.ts';

describe('the rows of a list that are rendered', () => {
  it('are all rows of a short list', () => {
    expect(renderedRows(maxWholeList, { first: 0, end: 0 }, [])).toHaveLength(maxWholeList);
    expect(renderedRows(0, { first: 0, end: 20 }, [-1])).toEqual([]);
  });

  it('are at most 165 of a long list, in order, with the visible rows and the kept rows', () => {
    const indexes = fc.integer({ min: -50, max: 100_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: maxWholeList + 1, max: 50_000 }),
        indexes,
        fc.integer({ min: 0, max: 100 }),
        fc.array(indexes, { maxLength: 4 }),
        (count, first, shown, kept) => {
          const rendered = renderedRows(count, { first, end: first + shown }, kept);
          expect(rendered.length).toBeLessThanOrEqual(165);
          expect(rendered).toEqual([...new Set(rendered)].toSorted((left, right) => left - right));
          const isRow = (index: number): boolean => index >= 0 && index < count;
          const visible = Array.from({ length: shown }, (_, at) => first + at);
          expect(rendered).toEqual(expect.arrayContaining([...visible, ...kept].filter(isRow)));
          expect(rendered.every(isRow)).toBe(true);
        },
      ),
    );
  });
});
