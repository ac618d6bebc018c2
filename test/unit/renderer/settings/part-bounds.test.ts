import { expect, test } from 'vitest';
import { partBytesFrom } from '../../../../renderer/features/settings/part-bounds.ts';

test('a part size is accepted between 5 MiB and 5 GiB only', () => {
  expect(partBytesFrom(5)).toBe(5 * 1024 ** 2);
  expect(partBytesFrom('5120')).toBe(5 * 1024 ** 3);
  for (const typed of [4, 5121, 5.5, '', ' ', 'many']) expect(partBytesFrom(typed)).toBeNull();
});
