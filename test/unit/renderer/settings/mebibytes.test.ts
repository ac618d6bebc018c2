import * as fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { limitFrom, mebibytesOf, partBytesFrom } from '../../../../renderer/features/settings/mebibytes.ts';

it('a preview limit is parsed as whole or fractional MiB, and nothing else', () => {
  expect(limitFrom(20)).toBe(20 * 1024 * 1024);
  expect(limitFrom('1.5')).toBe(1_572_864);
  expect(limitFrom(0)).toBe(0);
  expect(limitFrom('')).toBeNull();
  expect(limitFrom(-1)).toBeNull();
  expect(limitFrom(1e300)).toBeNull();
});

it('a preview limit is shown as it was typed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), (mebibytes) => {
      expect(mebibytesOf(limitFrom(mebibytes) ?? -1)).toBe(mebibytes);
    }),
  );
});

test('a part size is accepted between 5 MiB and 5 GiB only', () => {
  expect(partBytesFrom(5)).toBe(5 * 1024 ** 2);
  expect(partBytesFrom('5120')).toBe(5 * 1024 ** 3);
  for (const typed of [4, 5121, 5.5, '', ' ', 'many']) expect(partBytesFrom(typed)).toBeNull();
});
