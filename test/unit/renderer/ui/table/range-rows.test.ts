import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RangeRows, rangePageRows, type ReadRange } from '../../../../../renderer/ui/table/range-rows.ts';

/** A list that grows while it is read, and the reads it received. */
function growing(count: number) {
  const list = { count, asked: [] as number[], fails: false };
  const read: ReadRange<number> = ({ offset, limit }) => {
    list.asked.push(offset);
    if (list.fails) return Promise.reject(new Error('no'));
    const rows = Array.from(
      { length: Math.max(0, Math.min(limit, list.count - offset)) },
      (_, at) => offset + at,
    );
    return Promise.resolve({ rows, total: list.count });
  };
  return { list, read };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('only visible rows are read', async () => {
  const { list, read } = growing(1_000_000);
  const rows = new RangeRows(read, true);
  rows.show(500_000, 500_030);
  await settled();
  expect(rows.state().total).toBe(1_000_000);
  expect(rows.state().rowAt(500_010)).toBe(500_010);
  expect(rows.state().rowAt(0)).toBeNull();
  expect(list.asked).toEqual([500_000]);
});

test('a growing list re-reads incomplete pages and keeps complete ones', async () => {
  const { list, read } = growing(rangePageRows + 10);
  const rows = new RangeRows(read, true);
  rows.show(0, rangePageRows + 5);
  await settled();
  list.count = rangePageRows + 20;
  list.asked.length = 0;
  await rows.refresh();
  expect(rows.state().rowAt(rangePageRows + 15)).toBe(rangePageRows + 15);
  expect(list.asked).toEqual([rangePageRows]);
});

test('a list whose rows change re-reads the visible rows', async () => {
  const { list, read } = growing(rangePageRows * 2);
  const rows = new RangeRows(read, false);
  rows.show(0, 10);
  await settled();
  list.asked.length = 0;
  await rows.refresh();
  expect(list.asked).toEqual([0]);
});

test('a failed read is reported, keeps the loaded rows and is cleared by a retry', async () => {
  const { list, read } = growing(10);
  const rows = new RangeRows(read, true);
  rows.show(0, 5);
  await settled();
  list.fails = true;
  await rows.refresh();
  expect(rows.state().error).toBeInstanceOf(Error);
  expect(rows.state().rowAt(3)).toBe(3);
  list.fails = false;
  await rows.refresh();
  expect(rows.state().error).toBeNull();
});

test('visible rows are loaded for any scrolling while the cache stays bounded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5_000_000), { minLength: 1, maxLength: 120 }), async (stops) => {
      const { read } = growing(5_000_001);
      const rows = new RangeRows(read, true);
      for (const at of stops) {
        rows.show(at, at + 40);
        await settled();
        expect(rows.state().rowAt(at)).toBe(at);
      }
      const held = new Set(stops.map((at) => Math.floor(at / rangePageRows)));
      const still = [...held].filter((page) => rows.state().rowAt(page * rangePageRows) !== null);
      expect(still.length).toBeLessThanOrEqual(60);
    }),
    { numRuns: 30 },
  );
});

test('a range of any length is read in chunks in order', async () => {
  const { list, read } = growing(3500);
  const rows = new RangeRows(read, true);
  const found = await rows.range(100, 9999, new AbortController().signal);
  expect(found.length).toBe(3400);
  expect(found[0]).toBe(100);
  expect(found.at(-1)).toBe(3499);
  expect(list.asked).toEqual([100, 1100, 2100, 3100]);
});

test('new facts update rows in place, and only the loaded ones', async () => {
  const { list, read } = growing(rangePageRows * 3);
  const rows = new RangeRows(read, false);
  rows.show(0, 10);
  await settled();
  rows.revise((row) => (row === 3 ? 3.5 : row));
  expect([rows.state().rowAt(3), rows.state().rowAt(4)]).toEqual([3.5, 4]);
  expect(rows.cachedRows()).toHaveLength(rangePageRows);
  rows.revise((row) => (row === 500 ? 0 : row));
  expect(rows.state().rowAt(500)).toBeNull();
  expect(list.asked).toEqual([0]);
});

test('loaded rows are found by position and by a test, and other rows are not', async () => {
  const { read } = growing(rangePageRows * 3);
  const rows = new RangeRows(read, false);
  expect(rows.state().rowAt(0)).toBeNull();
  rows.show(rangePageRows * 2, rangePageRows * 2 + 5);
  await settled();
  expect(rows.state().rowAt(rangePageRows * 2 + 1)).toBe(rangePageRows * 2 + 1);
  expect(rows.state().rowAt(rangePageRows)).toBeNull();
  expect(rows.indexOf((row) => row === rangePageRows * 2 + 1)).toBe(rangePageRows * 2 + 1);
  expect(rows.indexOf((row) => row === 1)).toBe(-1);
});

test('the pages of a visible range are read, from the first row to the last', async () => {
  const { list, read } = growing(rangePageRows * 5);
  const rows = new RangeRows(read, false);
  rows.show(0, 10);
  rows.show(rangePageRows - 5, rangePageRows * 2 + 5);
  await settled();
  expect(list.asked).toEqual([0, rangePageRows, rangePageRows * 2]);
});

test('facts about rows that are not loaded do not change the state', async () => {
  const { read } = growing(rangePageRows * 2);
  const rows = new RangeRows(read, false);
  rows.show(0, 10);
  await settled();
  const before = rows.state();
  rows.revise((row) => (row === rangePageRows ? -1 : row));
  expect(rows.state()).toBe(before);
});

test('new facts that arrive between two pages of one read are kept', async () => {
  const replies = new Map<number, () => void>();
  const read: ReadRange<string> = ({ offset, limit }) =>
    new Promise((resolve) => {
      const rows = Array.from({ length: limit }, () => 'running');
      replies.set(offset, () => resolve({ rows, total: 2 * rangePageRows }));
    });
  const rows = new RangeRows(read, false);
  rows.show(rangePageRows - 5, rangePageRows + 5);
  replies.get(0)?.();
  await settled();
  rows.revise(() => 'done');
  replies.get(rangePageRows)?.();
  await settled();
  expect(rows.state().rowAt(rangePageRows - 1)).toBe('done');
  expect(rows.state().rowAt(rangePageRows)).toBe('running');
});
