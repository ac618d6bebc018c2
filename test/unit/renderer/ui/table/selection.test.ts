import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allSelected,
  cleared,
  clicked,
  movedTo,
  nothingSelected,
  plain,
  pointedAt,
  positionByKey,
  toggleSelected,
  type RowOrder,
} from '../../../../../renderer/ui/table/selection.ts';

function orderOf(rows: readonly number[]): RowOrder {
  return {
    count: rows.length,
    rowAt: (position) => rows[position] ?? -1,
    positionOf: (row) => rows.indexOf(row),
  };
}

const order = orderOf([10, 11, 12, 13, 14]);
const keep = { range: false, keep: true };
const range = { range: true, keep: false };

describe('the selection of rows', () => {
  it('is the clicked row alone', () => {
    const first = clicked(nothingSelected, order, 1, plain);
    const second = clicked(first, order, 3, plain);
    expect([...second.rows]).toEqual([13]);
    expect(second.focus).toBe(13);
  });

  it('gains and loses rows with Ctrl', () => {
    const two = clicked(clicked(nothingSelected, order, 1, plain), order, 3, keep);
    expect([...two.rows]).toEqual([11, 13]);
    expect([...clicked(two, order, 1, keep).rows]).toEqual([13]);
  });

  it('extends from the anchor with Shift, in both directions', () => {
    const start = clicked(nothingSelected, order, 2, plain);
    const down = clicked(start, order, 4, range);
    expect([...down.rows]).toEqual([12, 13, 14]);
    expect([...clicked(down, order, 0, range).rows]).toEqual([10, 11, 12]);
  });

  it('is kept and extended with Shift and Ctrl', () => {
    const first = clicked(nothingSelected, order, 0, plain);
    const third = clicked(first, order, 2, keep);
    const more = clicked(third, order, 4, { range: true, keep: true });
    expect([...more.rows].toSorted((a, b) => a - b)).toEqual([10, 12, 13, 14]);
  });

  it('follows rows, not positions, when the order changes', () => {
    const anchored = clicked(nothingSelected, order, 0, plain);
    const sorted = orderOf([14, 13, 12, 11, 10]);
    expect([...clicked(anchored, sorted, 3, range).rows].toSorted((a, b) => a - b)).toEqual([10, 11]);
  });

  it('is unchanged when focus moves with Ctrl and an arrow key', () => {
    const start = clicked(nothingSelected, order, 0, plain);
    const moved = movedTo(start, order, 3, keep);
    expect(moved.focus).toBe(13);
    expect([...moved.rows]).toEqual([10]);
    expect([...toggleSelected(moved, 13).rows]).toEqual([10, 13]);
  });

  it('is kept for a menu on one of its rows, and replaced for another row', () => {
    const two = clicked(clicked(nothingSelected, order, 1, plain), order, 3, keep);
    expect([...pointedAt(two, 11).rows]).toEqual([11, 13]);
    expect([...pointedAt(two, 14).rows]).toEqual([14]);
  });

  it('covers all rows that the filter shows, and no others', () => {
    const filtered = orderOf([11, 13]);
    expect([...allSelected(nothingSelected, filtered).rows]).toEqual([11, 13]);
    expect(cleared(allSelected(nothingSelected, filtered)).rows.size).toBe(0);
  });

  it('never moves outside the list by keyboard', () => {
    const inList = ['ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'] as const;
    const keys = fc.constantFrom(...inList, 'ArrowLeft', 'ArrowRight');
    fc.assert(
      fc.property(
        fc.array(keys, { maxLength: 30 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 2, max: 9 }),
        (pressed, count, pageLines, perLine) => {
          let at = -1;
          for (const key of pressed) at = positionByKey(key, at, count, { perLine, pageLines }) ?? at;
          expect(at).toBeGreaterThanOrEqual(-1);
          expect(at).toBeLessThan(count);
          expect(at === -1).toBe(pressed.length === 0);
        },
      ),
    );
  });

  it('moves by lines in a grid', () => {
    const steps = { perLine: 4, pageLines: 2 };
    const to = (key: string, at: number): number | null => positionByKey(key, at, 14, steps);
    expect(to('ArrowDown', 1)).toBe(5);
    expect(to('ArrowUp', 5)).toBe(1);
    expect(to('ArrowUp', 2)).toBe(2);
    expect(to('ArrowRight', 3)).toBe(4);
    expect(to('ArrowLeft', 4)).toBe(3);
    expect(to('PageDown', 1)).toBe(9);
    // The last full line has a third position, below which no row exists. The last row is the nearest.
    expect(to('ArrowDown', 11)).toBe(13);
    expect(to('ArrowDown', 12)).toBe(12);
    expect(positionByKey('ArrowLeft', 4, 14, { perLine: 1, pageLines: 2 })).toBeNull();
  });
});
