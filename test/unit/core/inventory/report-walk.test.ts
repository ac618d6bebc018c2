import { expect, test } from 'vitest';
import { areInOrder } from '../../../../electron/core/inventory/report-walk.ts';

const file = (first: string | null, last: string | null, isOrdered = true) => ({ first, last, isOrdered });

test('report files need no sorting if each is in order and none overlaps another', () => {
  expect(areInOrder([file('c', 'd'), file(null, null), file('a', 'b')])).toBe(true);
  expect(areInOrder([])).toBe(true);
  expect(areInOrder([file('a', 'c'), file('b', 'd')])).toBe(false);
  expect(areInOrder([file('a', 'b'), file('b', 'd')])).toBe(false);
  expect(areInOrder([file('a', 'b', false)])).toBe(false);
});
